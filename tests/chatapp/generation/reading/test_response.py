"""A request's answer is kept up to a limit."""

import pytest

from chatapp.generation.reading.response import TOO_LONG, Response
from chatapp.llm.chunks import TextDelta
from chatapp.llm.errors import ProviderError


def test_text_up_to_the_limit_is_kept():
    reply = Response(room=5)

    assert [reply.take(TextDelta(text), 0.1) for text in ("ab", "c\u00e9")] == ["ab", "c\u00e9"]
    assert (reply.text, reply.room) == ("abc\u00e9", 0)


@pytest.mark.parametrize("more", ["x", "\ud800", "x" * 1_000])
def test_what_goes_beyond_it_is_refused_and_the_rest_stays(more):
    reply = Response(room=5)
    reply.take(TextDelta("abcde"), 0.1)

    with pytest.raises(ProviderError) as refusal:
        reply.take(TextDelta(more), 0.2)

    assert (refusal.value.kind, refusal.value.message) == ("too_long", TOO_LONG)
    assert reply.text == "abcde"

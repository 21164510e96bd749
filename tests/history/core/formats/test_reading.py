"""Messages are counted by an estimate, or by a tokenizer that only counts texts."""

import pytest

from history.core import read_transcript
from history.core.formats.reading import counters_of
from tests.history.core.formats.test_openai_format import asked, calling


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        pytest.param({"role": "user", "content": "a" * 300}, 4 + 100, id="three bytes a token"),
        pytest.param(calling(asked(name="abc")), 4 + 3 + 1 + 1, id="a call"),
        pytest.param(
            {
                "role": "user",
                "content": [{"type": "image_url", "image_url": {"url": "https://a.example/b.png"}}],
            },
            4 + 37 * 37,
            id="an image of unknown size",
        ),
    ],
)
def test_without_a_tokenizer_tokens_are_estimated(message, tokens):
    (found,) = read_transcript([message]).messages

    assert found.tokens == tokens


def test_a_counter_of_texts_counts_messages_and_calls():
    (found,) = read_transcript(
        [calling(asked(name="abc"), content="ab")], counters_of(len)
    ).messages

    assert (found.tokens, found.tool_calls[0].tokens) == (4 + 2 + 3 + 3 + 2, 3 + 3 + 2)

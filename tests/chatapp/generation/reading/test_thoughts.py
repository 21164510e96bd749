"""The pieces of a model's thinking are joined as its provider split them."""

import pytest

from chatapp.generation.reading.response import TOO_LONG, Response
from chatapp.llm.chunks import CallDelta, ReportedUsage, TextDelta
from chatapp.llm.errors import ProviderError
from chatapp.llm.reasoning.deltas import ReasoningDelta
from history.core.transcript.parts import Reasoning, ReasoningForm

SIGNED, REDACTED = ReasoningForm.SIGNED, ReasoningForm.REDACTED
SIGNATURE, DATA = {"signature": "abc"}, {"data": "xyz"}
NAMED = {"field": "reasoning"}


def taken(*chunks):
    response = Response(1_000, "claude")
    for second, chunk in enumerate(chunks, 1):
        response.take(chunk, second)
    return response


def shape(response):
    return [(part.form, part.text, dict(part.fields)) for part in response.reasoning]


@pytest.mark.parametrize(
    ("deltas", "parts"),
    [
        pytest.param(
            [ReasoningDelta("a", fields=NAMED), ReasoningDelta("b", fields=NAMED)],
            [("text", "ab", NAMED)],
            id="pieces of one",
        ),
        pytest.param(
            [ReasoningDelta("a"), ReasoningDelta("", SIGNED, SIGNATURE), ReasoningDelta("b")],
            [("signed", "a", SIGNATURE), ("text", "b", {})],
            id="a signature ends one",
        ),
        pytest.param(
            [ReasoningDelta("a"), ReasoningDelta("", REDACTED, DATA), ReasoningDelta("b")],
            [("text", "a", {}), ("redacted", "", DATA), ("text", "b", {})],
            id="sealed ones stand alone",
        ),
        pytest.param(
            [ReasoningDelta("a", fields={"index": 0}), ReasoningDelta("b", fields={"index": 1})],
            [("text", "a", {"index": 0}), ("text", "b", {"index": 1})],
            id="numbered ones",
        ),
    ],
)
def test_pieces_are_joined_into_parts(deltas, parts):
    assert shape(taken(*deltas)) == parts


def test_the_time_is_that_until_the_first_word_or_call_after_it():
    words, call = TextDelta("So."), CallDelta(0, "c1", "f", "{}")

    for after in (words, call):
        (part,) = taken(ReasoningDelta("a"), ReasoningDelta("b"), after, words, call).reasoning
        assert part.took_ms == 3_000


def test_reported_tokens_are_shared_out_by_length():
    response = taken(
        ReasoningDelta("a" * 30),
        ReasoningDelta("", SIGNED, SIGNATURE),
        ReasoningDelta("b" * 10),
        ReportedUsage(1, 100, reasoning=81),
    )

    assert [part.tokens for part in response.reasoning] == [61, 20]
    assert sum(part.tokens for part in response.reasoning) == 81


def test_reasoning_is_limited_with_the_text():
    response = Response(5)
    response.take(ReasoningDelta("abc"), 0.1)

    with pytest.raises(ProviderError) as refused:
        response.take(TextDelta("abc"), 0.2)

    assert refused.value.message == TOO_LONG
    assert response.reasoning == (Reasoning(ReasoningForm.TEXT, "abc", took_ms=200),)


def test_fields_that_come_with_every_piece_take_room_once():
    repeated = {"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0}
    response = Response(1_000)

    for _ in range(900):
        response.take(ReasoningDelta("a", fields=repeated), 0.1)

    assert response.room == 1_000 - 900 - len("reasoning.textanthropic-claude-v10")


def test_a_calls_fields_are_limited_too_and_take_room_once():
    response = Response(1_000)
    signed = CallDelta(0, "c1", "f", "{}", {"thought_signature": "s" * 900})
    response.take(signed, 0.1)
    response.take(signed, 0.1)

    with pytest.raises(ProviderError):
        response.take(CallDelta(1, "c2", "f", "{}", {"thought_signature": "s" * 900}), 0.2)
    with pytest.raises(ProviderError):
        response.take(CallDelta(1, "c" * 100, "f", "{}"), 0.2)

    assert [call.id for call in response.assembler.calls()] == ["c1"]

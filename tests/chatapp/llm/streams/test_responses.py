"""The events of OpenAI's Responses API become chunks: text, reasoning items, calls, an end."""

import json

import pytest

from chatapp.llm.chunks import CallDelta, Reading, ReportedUsage, TextDelta
from chatapp.llm.reasoning.deltas import ReasoningDelta
from chatapp.llm.streams.events import DECODER, ErrorReported, TooLongReported
from chatapp.llm.streams.responses import Responses
from chatapp.llm.streams.tally import Tally
from history.core.transcript.parts import ReasoningForm

SUMMARY = [{"type": "summary_text", "text": text} for text in ("One", "Two")]
SEALED = {"type": "reasoning", "id": "rs_1", "encrypted_content": "x"}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "clock", "arguments": ""}


def event(kind, **fields):
    return {"type": f"response.{kind}", **fields}


def read(*events):
    """Return the reading and its deltas, after a count of the same events."""
    reader, reading, tally = Responses(), Reading(), Tally()
    deltas = []
    for each in events:
        tally.count(each)
        for chunk in reader.read(DECODER.decode(json.dumps(each))):
            deltas += reading.read(chunk)
    return reading, deltas, tally


def summarised():
    for number, part in enumerate(SUMMARY):
        yield event("reasoning_summary_part.added", summary_index=number)
        yield event("reasoning_summary_text.delta", summary_index=number, delta=part["text"])
    yield event("output_item.done", item={**SEALED, "summary": SUMMARY})


def test_the_parts_of_a_summary_are_paragraphs_and_the_item_ends_sealed():
    _, deltas, tally = read(*summarised())

    assert "".join(delta.text for delta in deltas) == "One\n\nTwo"
    assert tally.reasoning == len("One\n\nTwo")
    fields = {"id": "rs_1", "summary": SUMMARY, "encrypted_content": "x"}
    assert deltas[-1] == ReasoningDelta("", ReasoningForm.SIGNED, fields)


def test_an_item_without_a_summary_is_sealed_as_a_whole():
    _, deltas, _ = read(event("output_item.done", item={**SEALED, "summary": []}))

    fields = {"id": "rs_1", "encrypted_content": "x"}
    assert deltas == [ReasoningDelta("", ReasoningForm.REDACTED, fields)]


def test_an_item_that_nobody_sealed_cannot_be_sent_back():
    text = event("reasoning_text.delta", delta="Hm")
    _, deltas, _ = read(text, event("output_item.done", item={"type": "reasoning", "id": "r"}))

    assert deltas == [ReasoningDelta("Hm", ReasoningForm.SUMMARY)]


def test_calls_are_numbered_among_themselves_and_a_refusal_is_text():
    reading, deltas, tally = read(
        event("refusal.delta", delta="No"),
        event("output_item.added", output_index=3, item=CALL),
        event("function_call_arguments.delta", output_index=3, delta="{}"),
        event("output_item.added", output_index=5, item={**CALL, "call_id": "c2"}),
        event("completed", response={"usage": {"input_tokens": 5, "output_tokens": 3}}),
    )

    assert deltas == [
        TextDelta("No"),
        CallDelta(0, "c1", "clock", ""),
        CallDelta(0, "", "", "{}"),
        CallDelta(1, "c2", "clock", ""),
    ]
    assert (reading.finish, reading.usage) == ("tool_calls", ReportedUsage(5, 3))
    assert (tally.text, tally.arguments) == (2, 2)


@pytest.mark.parametrize(
    ("reason", "finish"),
    [("max_output_tokens", "length"), ("content_filter", "content_filter"), ("else", "length")],
)
def test_an_incomplete_response_says_why(reason, finish):
    details = {"input_tokens_details": {"cached_tokens": 2}}
    usage = {"input_tokens": 5, "output_tokens": 3, **details}
    reading, _, _ = read(
        event("incomplete", response={"incomplete_details": {"reason": reason}, "usage": usage})
    )

    assert (reading.finish, reading.usage) == (finish, ReportedUsage(5, 3, cache_read=2))


TOO_LONG = {"code": "context_length_exceeded", "message": "Your input exceeds the context window"}


@pytest.mark.parametrize(
    ("told", "error"),
    [
        (event("failed", response={"error": {"code": "server_error"}}), ErrorReported),
        (event("failed", response={"error": TOO_LONG}), TooLongReported),
        ({"type": "error", **TOO_LONG}, TooLongReported),
    ],
)
def test_a_failure_is_an_error_of_the_stream(told, error):
    with pytest.raises(error):
        read(told)


def test_what_nobody_keeps_is_named_and_what_was_removed_is_noted():
    removed = {"type": "reasoning_removed", "path": "input[1]", "reason": "prefix"}
    _, _, tally = read(
        event("output_item.added", output_index=0, item={"type": "web_search_call"}),
        event("completed", response={"input_transformations": [removed]}),
    )

    assert (tally.unread, tally.transformed) == ({"web_search_call"}, [removed])


def test_arguments_that_come_whole_are_taken_once():
    at_once = event("output_item.added", output_index=0, item={**CALL, "arguments": "{}"})
    late = event("output_item.added", output_index=1, item={**CALL, "call_id": "c2"})
    ends = [
        event("output_item.done", output_index=n, item={**CALL, "arguments": "{}"}) for n in (0, 1)
    ]
    _, deltas, tally = read(at_once, late, *ends)

    assert [(d.index, d.arguments) for d in deltas] == [(0, "{}"), (1, ""), (1, "{}")]
    assert tally.arguments == 4


def test_several_texts_are_paragraphs():
    begin = [event("output_item.added", output_index=n, item={"type": "message"}) for n in (0, 1)]
    said = event("output_text.delta", delta="A")
    _, deltas, tally = read(begin[0], said, begin[1], said)

    assert "".join(delta.text for delta in deltas) == "A\n\nA"
    assert tally.text == 4


@pytest.mark.parametrize(
    "before",
    [
        [event("output_item.added", output_index=0, item=CALL)],
        [event("output_item.added", output_index=n, item={"type": "message"}) for n in (0, 1)],
    ],
    ids=["a call", "two texts"],
)
def test_reasoning_that_cannot_be_sent_in_its_place_is_not_sealed(before):
    _, deltas, _ = read(*before, *summarised())

    thoughts = [delta for delta in deltas if isinstance(delta, ReasoningDelta)]
    assert "".join(delta.text for delta in thoughts) == "One\n\nTwo"
    assert not any("encrypted_content" in delta.fields for delta in thoughts)


@pytest.mark.parametrize(
    "odd",
    [
        [],
        None,
        "text",
        event("output_item.added", output_index=0, item=None),
        event("output_item.done", output_index=0, item=None),
        event("completed", response=None),
    ],
)
def test_an_odd_event_loses_nothing_that_came_with_it(odd):
    _, deltas, _ = read(event("output_text.delta", delta="A"), odd)

    assert deltas == [TextDelta("A")]


WHOLE = (
    event("output_item.added", output_index=0, item={"type": "message"}),
    event("output_text.delta", output_index=0, delta="A"),
    *summarised(),
    event("output_item.added", output_index=2, item=CALL),
    event("function_call_arguments.delta", output_index=2, delta="{}"),
    event("output_item.done", output_index=2, item={**CALL, "arguments": "{}"}),
    event(
        "incomplete",
        response={
            "incomplete_details": {"reason": "max_output_tokens"},
            "usage": {"input_tokens": 5, "input_tokens_details": {"cached_tokens": 2}},
            "input_transformations": [{"type": "reasoning_removed"}],
        },
    ),
)


def places_in(value, path=()):
    """Yield the path to each value inside a value."""
    inside = enumerate(value) if isinstance(value, list) else dict(value).items()
    for name, inner in inside:
        yield (*path, name)
        if isinstance(inner, list | dict):
            yield from places_in(inner, (*path, name))


def odd_at(place, odd):
    """Return the events of a response in which something odd stands at a place."""
    events = json.loads(json.dumps(WHOLE))
    *path, last = place
    where = events
    for name in path:
        where = where[name]
    where[last] = odd
    return events


@pytest.mark.parametrize("odd", [None, "x", "", 5, True, [], ["x"], {}, {"x": 1}], ids=repr)
def test_whatever_is_odd_in_an_event_the_rest_of_the_response_is_read(odd):
    for place in places_in(list(WHOLE)):
        _, deltas, _ = read(*odd_at(place, odd))

        said = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
        assert "A" in said or place[0] == 1, place


@pytest.mark.parametrize("odd", [None, "x", 5])
def test_a_call_whose_beginning_was_odd_gets_its_name_at_the_end(odd):
    _, deltas, tally = read(
        event("output_item.added", output_index=0, item=odd),
        event("function_call_arguments.delta", output_index=0, delta="{}"),
        event("output_item.done", output_index=0, item={**CALL, "arguments": "{}"}),
    )

    assert deltas == [CallDelta(0, "", "", "{}"), CallDelta(0, "c1", "clock", "")]
    assert tally.arguments == 2


@pytest.mark.parametrize("odd", [None, "x", 5, [], {}])
def test_a_call_whose_end_is_at_an_odd_place_is_not_repeated(odd):
    _, deltas, _ = read(
        event("output_item.added", output_index=0, item={**CALL, "arguments": "{}"}),
        event("output_item.done", output_index=odd, item={**CALL, "arguments": "{}"}),
    )

    assert deltas == [CallDelta(0, "c1", "clock", "{}")]


@pytest.mark.parametrize("odd", [{}, [], 0, False])
def test_empty_arguments_that_are_no_text_are_none(odd):
    _, deltas, tally = read(
        event("output_item.added", output_index=0, item={**CALL, "arguments": odd}),
        event("function_call_arguments.delta", output_index=0, delta=odd),
        event("output_item.done", output_index=0, item={**CALL, "arguments": "{}"}),
    )

    assert "".join(delta.arguments for delta in deltas) == "{}"
    assert tally.arguments == 2


def test_arguments_that_begin_empty_and_come_whole_at_the_end_are_counted():
    _, deltas, tally = read(
        event("output_item.added", output_index=0, item=CALL),
        event("function_call_arguments.delta", output_index=0, delta=""),
        event("output_item.done", output_index=0, item={**CALL, "arguments": "{}"}),
    )

    assert "".join(delta.arguments for delta in deltas) == "{}"
    assert tally.arguments == 2


def test_what_a_failed_response_quotes_is_no_error():
    quoted = {"error": None, "instructions": "Mind the context window."}
    with pytest.raises(ErrorReported) as failed:
        read(event("failed", response=quoted))

    assert not isinstance(failed.value, TooLongReported)

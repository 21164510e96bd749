from chatapp.generation.records import _size, log_lines
from chatapp.generation.response import Response
from chatapp.llm.chunks import CallDelta, TextDelta
from chatapp.llm.reasoning.deltas import ReasoningDelta
from history.core.parts import part_as_dict
from history.models import Message
from tests.history.core.making import projected
from tests.transcripts import transcript, turns


def test_the_development_log():
    messages = transcript(*["user: q", "assistant: a"] * 11)

    assert log_lines(projected(messages, length=6).plan, "demo") == (
        '[History] Agent demo history settings: {policy: "lastN", length: 6, messageCount: 22}',
        "[History] Trimmed messages from 22 to 12",
    )


def test_nothing_trimmed_is_one_line():
    assert log_lines(projected(turns(11)).plan, "demo") == (
        '[History] Agent demo history settings: {policy: "lastN", length: 20, messageCount: 22}',
    )


def test_a_length_of_0_is_shown_as_it_is_stored():
    (line,) = log_lines(projected(turns(1), length=0).plan, "demo")

    assert "length: 0" in line


def test_an_answer_that_goes_on_has_the_room_that_it_had():
    reply = Response(1_000)
    for delta in (
        ReasoningDelta("H\u00e4", fields={"field": "reasoning"}),
        ReasoningDelta("mm.", fields={"field": "reasoning"}),
        TextDelta("Look:"),
        CallDelta(0, "", "f", "{}", {"thought_signature": "s" * 50}),
    ):
        reply.take(delta, 0.1)

    calls = [{"id": "c1", "name": "f", "fields": dict(reply.assembler.calls()[0].fields)}]
    stored = Message(text=reply.text, parts=[*map(part_as_dict, reply.reasoning)], tool_calls=calls)

    assert _size(stored) == 1_000 - reply.room

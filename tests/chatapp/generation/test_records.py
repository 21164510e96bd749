import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chatapp.generation.reading.response import Response
from chatapp.generation.records import _size, log_lines, prepare_step
from chatapp.llm.chunks import CallDelta, TextDelta
from chatapp.llm.reasoning.deltas import ReasoningDelta
from history.core.transcript.parts import Image, part_as_dict
from history.models import Message
from history.services.path.appending import append, assistant_message, user_message
from tests.attached import put_picture
from tests.factories import begin_turn, make_agent, make_conversation
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


@pytest.mark.django_db
def test_a_picture_is_read_once_for_a_request():
    conversation = make_conversation(make_agent(model="openai/gpt-4o"))
    digest = put_picture(conversation)
    seen = user_message("Look", parts=[Image(digest, digest, "image/png", "berth.png")])
    append(conversation.branch, [seen, assistant_message("A berth.", ())])
    generation = begin_turn(conversation, "Whose?")

    with CaptureQueriesContext(connection) as queries:
        request = prepare_step(generation, 1).request

    assert list(request.media) == [digest]
    assert len([q for q in queries if 'FROM "history_media"' in q["sql"]]) == 1

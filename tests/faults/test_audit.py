"""The audit finds every kind of fault, and none in a correct database."""

import json
from uuid import uuid4

import pytest
from django.db import connection

from chatapp.llm.media import llm_request
from history.models import Generation, GenerationEvent, GenerationStatus, Message
from history.services.answers import lifecycle as stored
from history.services.answers.commands import Send
from history.services.answers.lifecycle import Event
from history.services.answers.sending import send
from history.services.answers.so_far import Reply
from history.services.path.appending import append, user_message
from history.services.planning.planning import plan_step, store_plan
from tests.factories import actor_for, begin_turn, make_conversation
from tests.faults.answers import MARK, answer_to
from tests.faults.audit import audit, main
from tests.faults.told import FOUND, TOLD, Acknowledged, Told

pytestmark = pytest.mark.django_db
QUESTIONS = [f"{MARK}ada.{number}" for number in range(3)]


@pytest.fixture
def told():
    """Make a chat of three turns; return what the client was told of it."""
    told, conversation = Told(), make_conversation()
    for question in QUESTIONS:
        turn(told, conversation, question)
    return told


def turn(told, conversation, question):
    command = Send(text=question, client_msg_id=uuid4(), conversation=conversation.pk)
    generation = send(actor_for(conversation), command).generation
    stored.claim(generation, "us")
    planned = plan_step(generation, 1)
    store_plan(planned, llm_request(planned.parts).body())
    text = answer_to(question, "a b c ")
    events = [
        Event(1, "started", {}),
        Event(2, "plan", {"step": 1}),
        Event(3, "delta", {"text": text}),
    ]
    stored.log_batches([(generation, events)])
    stored.end(generation, GenerationStatus.DONE, Reply(text))
    end = Event(4, "end", {"status": "done"})
    stored.log_end(generation, [end])
    message = Message.objects.get(text=question)
    named = {"generation": str(generation.pk), "conversation": str(conversation.pk)}
    told.messages.append(Acknowledged(str(message.client_msg_id), question, **named))
    for event in [*events, end]:
        told.saw({**named, "seq": event.seq, "kind": event.kind, "data": event.data})


def write(statement, *parameters):
    """Change the database in a way that no code of the app can."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


def forget_guard(table):
    of_table = f" ON {table}" if connection.vendor == "postgresql" else ""
    write(f"DROP TRIGGER {table}_append_only{of_table}")


def change_message(text, *, where):
    forget_guard("history_message")
    write("UPDATE history_message SET text = %s WHERE text LIKE %s", text, where)


def first():
    return Generation.objects.order_by("created").first()


def newest():
    return Generation.objects.order_by("created").last()


def a_message_is_gone(told):
    pk = Message.objects.get(text=QUESTIONS[2]).pk
    write("DELETE FROM history_messagehash WHERE message_id = %s", pk)
    write("DELETE FROM history_message WHERE id = %s", pk)


def a_message_says_something_else(told):
    change_message("nonsense", where=QUESTIONS[1])


def an_answer_is_gone(told):
    unknown = str(uuid4())
    told.messages[0] = Acknowledged(**{**vars(told.messages[0]), "generation": unknown})


def a_message_is_stored_again(told):
    append(newest().branch, [user_message(QUESTIONS[2])])


def a_message_was_answered_twice(told):
    twice = {**vars(told.messages[0]), "generation": told.messages[1].generation}
    told.messages.append(Acknowledged(**twice))


def an_event_is_gone(told):
    GenerationEvent.objects.filter(generation=first(), seq=2).delete()


def the_last_event_is_gone(told):
    GenerationEvent.objects.filter(generation=first(), seq=4).delete()


def an_event_is_logged_that_nobody_counted(told):
    GenerationEvent.objects.create(generation=first(), seq=5, kind="delta", payload={"text": "x"})


def an_answer_is_still_open(told):
    Generation.objects.filter(pk=newest().pk).update(status=GenerationStatus.RUNNING)


def an_answer_ended_otherwise(told):
    Generation.objects.filter(pk=newest().pk).update(status=GenerationStatus.STOPPED)


def somebody_was_told_another_end(told):
    told.ends[str(newest().pk)] = "failed"


def an_answer_ended_twice(told):
    stored.log_end(newest(), [Event(5, "end", {"status": "done"})])


def an_event_has_anothers_number(told):
    GenerationEvent.objects.filter(generation=first(), seq=3).update(payload={"text": "other"})


def an_event_that_was_shown_is_nowhere(told):
    told.events[str(first().pk)][5] = "of it"


def a_request_has_another_hash(told):
    forget_guard("history_contextplan")
    write("UPDATE history_contextplan SET request_hash = %s", "0" * 64)


def the_transcript_is_not_what_was_sent(told):
    change_message("Something that nobody was told", where="ada.0:0 %")


def a_place_is_empty(told):
    forget_guard("history_message")
    write("UPDATE history_message SET position = 9 WHERE text = %s", QUESTIONS[2])


def a_word_of_an_answer_is_gone(told):
    change_message("ada.2:0 ada.2:2 ", where="ada.2:0 %")


def an_answer_is_another_questions(told):
    change_message("ada.1:0 ada.1:1 ", where="ada.2:0 %")


BROKEN = {
    a_message_is_gone: "lost",
    a_message_says_something_else: "lost",
    an_answer_is_gone: "lost",
    a_message_is_stored_again: "doubled",
    a_message_was_answered_twice: "doubled",
    an_event_is_gone: "numbered",
    the_last_event_is_gone: "numbered",
    an_event_is_logged_that_nobody_counted: "numbered",
    an_answer_is_still_open: "ended",
    an_answer_ended_otherwise: "ended",
    somebody_was_told_another_end: "ended",
    an_answer_ended_twice: "ended",
    an_event_has_anothers_number: "shown",
    an_event_that_was_shown_is_nowhere: "shown",
    a_request_has_another_hash: "planned",
    the_transcript_is_not_what_was_sent: "planned",
    a_place_is_empty: "placed",
    a_word_of_an_answer_is_gone: "answered",
    an_answer_is_another_questions: "answered",
}


def found(told):
    return {check for check, faults in audit(told).items() if faults}


def test_nothing_is_found_in_what_is_sound(told):
    assert found(told) == set()


@pytest.mark.parametrize(
    ("broken", "check"), BROKEN.items(), ids=lambda each: getattr(each, "__name__", each)
)
def test_what_is_broken_is_found(told, broken, check):
    broken(told)

    assert check in found(told)


def test_what_a_killed_process_had_shown_and_not_logged_is_no_fault(told):
    generation = begin_turn(make_conversation(first().conversation.agent), f"{MARK}ben.0")
    stored.interrupt(generation)
    told.saw({"generation": str(generation.pk), "seq": 1, "kind": "started", "data": {}})

    assert found(told) == set()


def test_it_reads_what_clients_kept_and_writes_what_it_found(told, tmp_path):
    told.write(tmp_path / TOLD)
    an_event_is_gone(told)

    main(str(tmp_path))

    kept = json.loads((tmp_path / FOUND).read_text())
    assert kept == audit(told)
    assert kept["numbered"]

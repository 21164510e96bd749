"""Only the conversation's owner can decide about a call, and only once."""

import pytest

from history.core.transcript.messages import ToolCall
from history.models import (
    AppendOnlyError,
    CallStage,
    Conversation,
    Generation,
    GenerationStatus,
)
from history.services.answers import approval_log
from history.services.answers import lifecycle as stored
from history.services.answers.approvals import MOST_CHARACTERS, Decision, decide, decided_calls
from history.services.answers.lifecycle import Event, Fenced
from history.services.answers.sending import send
from history.services.errors import Conflict, NotFound, Refused
from history.services.path.appending import assistant_message, result_message
from tests.history.services.conftest import ADA, BOB, log_events, say

pytestmark = pytest.mark.django_db

CALLS = [ToolCall(id_, "send_note", "{}") for id_ in ("a", "b")]
EVENT = Event(1, "waiting", {})


@pytest.fixture
def waiting(demo):
    """Make an answer with two calls that need approval; nothing is decided."""
    generation = Generation.objects.get(pk=send(ADA, say("one", agent="demo")).generation.pk)
    stored.claim(generation, "me")
    stored.store_messages(generation, [assistant_message("", CALLS)], (CALLS, "One was left out."))
    stored.pause(generation, [EVENT])
    return generation


def say_of(generation, call_id, *, approved=True, words="", actor=ADA):
    decision = Decision(call_id, approved, words)
    return decide(actor, generation.conversation_id, generation.pk, decision)


def results(generation):
    rows = generation.messages.filter(role="tool").order_by("position")
    return list(rows.values_list("text", flat=True))


def status(generation):
    return Generation.objects.get(pk=generation.pk).status


def test_nobody_runs_what_waits(waiting):
    waiting.refresh_from_db()

    assert (waiting.status, waiting.owner, waiting.heartbeat_at) == ("waiting", "", None)
    assert (waiting.is_active, waiting.is_open) == (False, True)
    with pytest.raises(Fenced):
        log_events(waiting, [Event(2, "delta", {})])


def test_the_last_decision_queues_it(waiting):
    first, second = say_of(waiting, "b", approved=False), say_of(waiting, "a")

    assert (first.resumes, second.resumes) == (False, True)
    assert status(waiting) == GenerationStatus.QUEUED
    assert stored.claim(second.generation, "you")


def test_the_start_of_what_goes_on_stays_that_of_its_first_run(waiting):
    started = Generation.objects.get(pk=waiting.pk).started
    say_of(waiting, "a")
    decided = say_of(waiting, "b")

    stored.claim(decided.generation, "you")

    assert Generation.objects.get(pk=waiting.pk).started == started


def test_the_same_again_changes_nothing(waiting):
    say_of(waiting, "a")

    again = say_of(waiting, "a")

    assert (again.is_new, again.resumes) == (False, False)
    assert CallStage.objects.filter(kind="approved").count() == 1


@pytest.mark.words
def test_another_word_than_was_given_is_refused(waiting):
    say_of(waiting, "a", approved=False)

    with pytest.raises(Conflict, match="already refused"):
        say_of(waiting, "a")


def test_nobody_else_can_decide(waiting):
    with pytest.raises(NotFound):
        say_of(waiting, "a", actor=BOB)


def test_a_call_that_asked_nobody_is_none(waiting):
    with pytest.raises(NotFound):
        say_of(waiting, "c")


@pytest.mark.parametrize("words", ["x" * (MOST_CHARACTERS + 1), "a\x00b", "\ud800"])
def test_words_that_cannot_be_stored_are_refused(waiting, words):
    with pytest.raises(Refused):
        say_of(waiting, "a", approved=False, words=words)
    assert not CallStage.objects.exclude(kind="asked").exists()


def test_a_decision_stands(waiting):
    say_of(waiting, "a")
    decision = CallStage.objects.get(kind="approved")

    with pytest.raises(AppendOnlyError):
        CallStage.objects.filter(pk=decision.pk).update(kind="refused")


def test_what_is_to_be_done_keeps_the_order_of_the_calls(waiting):
    say_of(waiting, "b", approved=False, words="Not him")
    decided = say_of(waiting, "a")

    (first, one), (second, other) = decided_calls(decided.generation)

    assert (first.id, one.decision.kind, one.note) == ("a", "approved", "")
    assert (second.id, other.note) == ("b", "One was left out.")
    assert approval_log.refusal(other) == (
        "The user refused this call. It was not run. They said: Not him"
    )


def test_a_call_is_begun_once(waiting):
    say_of(waiting, "a")
    generation = say_of(waiting, "b").generation
    stored.claim(generation, "you")

    assert [stored.begin(generation, CALLS[0]) for _ in range(2)] == [True, False]


def test_an_end_leaves_no_call_without_a_result(waiting):
    """The calls end in all ways: run, begun, refused, approved too late, and never decided."""
    calls = [ToolCall(id_, "send_note", "{}") for id_ in ("c", "d", "e", "f", "g")]
    say_of(waiting, "a")
    generation = say_of(waiting, "b").generation
    stored.claim(generation, "you")
    done = [result_message(call, "Done.", failed=False) for call in CALLS]
    stored.store_messages(generation, done)
    stored.store_messages(generation, [assistant_message("", calls)], (calls, ""))
    stored.pause(generation, [Event(2, "waiting", {})])
    say_of(generation, "d")
    say_of(generation, "e", approved=False)
    say_of(generation, "f")
    approval_log.begin(generation, calls[1])

    assert stored.end(generation, GenerationStatus.INTERRUPTED)

    assert results(generation)[2:] == [
        "Not approved: the answer was interrupted. It was not run.",
        "It is unknown whether this ran: the answer was interrupted meanwhile. It is not repeated.",
        "The user refused this call. It was not run.",
        "Approved, but the answer was interrupted before it was run. It was not run.",
        "Not approved: the answer was interrupted. It was not run.",
    ]
    assert CallStage.objects.filter(kind="withdrawn").count() == 2


@pytest.mark.words
def test_whoever_writes_instead_gives_it_up(waiting):
    ack = send(ADA, say("Never mind", conversation=waiting.conversation_id))

    assert ack.given_up == waiting
    assert status(waiting) == GenerationStatus.PASSED_OVER
    assert not Conversation.objects.get(pk=waiting.conversation_id).has_new_answer
    assert results(waiting) == [
        "Not approved: the user sent a message instead. It was not run.",
        "Not approved: the user sent a message instead. It was not run.\nOne was left out.",
    ]
    with pytest.raises(Conflict, match="can no longer be approved"):
        say_of(waiting, "a")

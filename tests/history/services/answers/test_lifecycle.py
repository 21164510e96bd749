"""A generation is claimed once and ends once; a process that has lost it can write nothing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from history.models import CallFigures, Generation, GenerationStatus, Message
from history.services.answers import lifecycle as stored
from history.services.answers.lifecycle import Event, Fenced
from history.services.answers.sending import send
from history.services.answers.so_far import NOTHING, Reply, reply_so_far
from history.services.path.appending import assistant_message
from tests.factories import store_step
from tests.history.services.conftest import ADA, log_events, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(demo):
    return send(ADA, say("one", agent="demo")).generation


@pytest.fixture
def running(queued):
    generation = Generation.objects.get(pk=queued.pk)
    stored.claim(generation, "me")
    log_events(generation, [Event(1, "plan", {"step": 1}), Event(2, "delta", text("par"))])
    return generation


def text(delta):
    return {"text": delta}


def test_one_of_two_gets_a_generation(queued):
    assert stored.claim(queued, "me")
    assert not stored.claim(Generation.objects.get(pk=queued.pk), "you")


def test_an_end_keeps_the_text(running):
    assert stored.end(running, GenerationStatus.DONE, Reply("whole answer"))

    assert running.status == GenerationStatus.DONE
    assert Message.objects.latest("position").text == "whole answer"


@pytest.mark.parametrize("second", [GenerationStatus.DONE, GenerationStatus.STOPPED])
def test_there_is_one_end(running, second):
    stored.end(running, GenerationStatus.INTERRUPTED, Reply("half"))

    assert not stored.end(running, second, Reply("half and more"))
    assert [m.text for m in Message.objects.filter(role="assistant")] == ["half"]


def test_whoever_lost_it_writes_nothing(running):
    stored.interrupt(Generation.objects.get(pk=running.pk))

    with pytest.raises(Fenced):
        log_events(running, [Event(3, "delta", text("tial"))])
    with pytest.raises(Fenced):
        stored.store_messages(running, [assistant_message("late")])

    assert not Message.objects.filter(text="late").exists()


def test_whoever_writes_to_a_deleted_conversation_is_fenced(running):
    running.conversation.delete()

    with pytest.raises(Fenced):
        stored.store_messages(running, [assistant_message("late")])


def test_an_interrupted_answer_keeps_what_was_logged(running):
    log_events(running, [Event(3, "block", {"html": "", "tail": ""})])
    log_events(running, [Event(4, "delta", text("tial"))])

    stored.interrupt(running)

    assert Message.objects.latest("position").text == "partial"


def test_text_that_a_message_holds_is_not_kept_twice(running):
    """A process stored the step, but died before it logged that."""
    stored.store_messages(running, [assistant_message("par")])

    assert reply_so_far(running) == NOTHING

    log_events(running, [Event(3, "plan", {"step": 2}), Event(4, "delta", text("next"))])
    assert reply_so_far(running) == Reply("next")


def test_what_a_dead_process_had_thought_is_kept(running):
    """The signature is dropped, so the thinking never goes back to a provider."""
    events = [Event(3, "thinking", text("Hm, ")), Event(4, "thinking", text("7."))]
    log_events(running, [*events, Event(5, "delta", text("Sev"))])
    stored.interrupt(running)

    message = Message.objects.latest("position")
    (part,) = message.parts
    assert message.text.endswith("Sev")
    assert part.pop("tokens") > 0
    assert part == {"kind": "reasoning", "form": "text", "text": "Hm, 7."}


def test_how_long_was_thought_is_kept(running):
    events = [Event(3, "thinking", text("Hm.")), Event(4, "thought", {"ms": 2_400})]
    log_events(running, [*events, Event(5, "delta", text("Sev"))])

    assert reply_so_far(running).reasoning[0].took_ms == 2_400


def test_what_was_still_being_thought_counts_up_to_the_last_sign_of_its_process(running):
    store_step(running)
    begun = running.plans.get().created
    log_events(running, [Event(3, "thinking", text("Hm."))])
    running.heartbeat_at = begun + timedelta(seconds=3)

    assert reply_so_far(running).reasoning[0].took_ms == 3_000


def test_a_step_that_was_planned_again_left_no_message(running):
    for step, percent in [(1, 100), (2, 75), (3, 75)]:
        store_step(running, step, percent)
    stored.store_messages(running, [assistant_message("par")])
    again = [Event(3, "plan", {"step": 2}), Event(4, "delta", text("par"))]
    following = [Event(5, "plan", {"step": 3}), Event(6, "delta", text("next"))]
    log_events(running, again + following)

    assert reply_so_far(running) == Reply("next")


def test_old_event_logs_are_dropped_and_messages_stay(running):
    stored.end(running, GenerationStatus.DONE, Reply("answer"))
    Generation.objects.update(ended=timezone.now() - timedelta(hours=30))

    assert stored.drop_old_events(24) == 2
    assert Message.objects.count() == 2


@pytest.mark.parametrize(("said", "took"), [((), None), ((Event(2, "delta", text("x")),), 3_000)])
def test_a_request_whose_process_died_counts_with_what_is_known_of_it(queued, said, took):
    stored.claim(queued, "me")
    store_step(queued)
    log_events(queued, [Event(1, "plan", {"step": 1}), *said])
    heard = queued.plans.get().created + timedelta(seconds=3)
    Generation.objects.filter(pk=queued.pk).update(heartbeat_at=heard)

    stored.interrupt(Generation.objects.get(pk=queued.pk))

    found = CallFigures.objects.get()
    assert (found.prompt, found.output, found.first_ms, found.total_ms) == (None, None, None, took)
    assert found.counted == queued.plans.get().core_plan.window.sent


def test_an_answer_that_never_began_has_made_no_request(queued):
    stored.interrupt(queued)

    assert not CallFigures.objects.exists()

"""An answer that its provider goes on with is queued again when its process is gone."""

import pytest

from history.models import (
    BackgroundResponse,
    Conversation,
    Generation,
    GenerationStatus,
    RequestOutcome,
)
from history.services.answers import background
from history.services.answers import lifecycle as stored
from history.services.answers.lifecycle import Event
from history.services.answers.queueing import queued
from history.services.answers.sending import send
from history.services.inserting import insert
from tests.factories import store_step
from tests.history.services.conftest import ADA, say

pytestmark = pytest.mark.django_db
RESPONSE = "resp_1"


@pytest.fixture
def record(demo):
    """Return the plan of a running answer, whose provider goes on with it."""
    generation = Generation.objects.get(pk=send(ADA, say("one", agent="demo")).generation.pk)
    stored.claim(generation, "me")
    record = store_step(generation).record
    background.accepted(record, RESPONSE)
    return record


@pytest.fixture
def announced():
    """Return the generations that were announced as queued."""
    heard = []

    def hear(generation, **_):
        heard.append(generation.pk)

    queued.connect(hear)
    yield heard
    queued.disconnect(hear)


def end_request(record):
    insert(RequestOutcome(plan=record, total_ms=1.0))


def take_up_often(record):
    BackgroundResponse.objects.update(taken_up=background.MOST)


def lose(record):
    Generation.objects.update(owner="you")


def end(record):
    Generation.objects.update(status=GenerationStatus.STOPPED)


def continue_another(record):
    record.generation.kind = Generation.Kind.CONTINUE


def delegate(record):
    record.generation.conversation.asked_by_id = record.generation.pk


def delete(record):
    Conversation.objects.filter(pk=record.generation.conversation_id).delete()


def ask_without_background(record):
    BackgroundResponse.objects.all().delete()


def test_it_is_queued_for_anybody_with_its_last_events(record, announced):
    generation = record.generation

    assert background.take_up(generation, [Event(1, "plan", {"step": 1})])

    kept = Generation.objects.get(pk=generation.pk)
    assert (kept.status, kept.owner, kept.seq) == (GenerationStatus.QUEUED, "", 1)
    assert [event.kind for event in kept.events.all()] == ["plan"]
    assert announced == [generation.pk]
    assert stored.claim(kept, "you")
    assert background.unfinished(kept).response == RESPONSE


@pytest.mark.parametrize(
    "change",
    [
        *(end_request, take_up_often, lose, end, continue_another, delegate, delete),
        ask_without_background,
    ],
)
def test_it_is_left_alone(record, announced, change):
    change(record)

    assert not background.take_up(record.generation)

    rows = Generation.objects.filter(pk=record.generation_id)
    assert not rows.filter(status=GenerationStatus.QUEUED).exists()
    assert announced == []


def test_it_is_taken_up_only_so_often(record):
    for _ in range(background.MOST):
        assert background.take_up(record.generation)
        stored.claim(record.generation, "me")

    assert not background.take_up(record.generation)

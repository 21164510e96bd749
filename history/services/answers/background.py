"""Answers that their provider goes on with, so that another process can take them up again."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from history.models import ACTIVE, BackgroundResponse, ContextPlan, Generation, GenerationStatus
from history.services.answers.lifecycle import Event, interrupt, log_end
from history.services.answers.queueing import queued
from history.services.path.queries import locked

MOST = 3  # How often an answer is taken up: it may be what makes its processes end.


def accepted(record: ContextPlan, response: str) -> None:
    """Note under which id the provider goes on with the answer to a request."""
    BackgroundResponse.objects.update_or_create(plan=record, defaults={"response": response})


def unfinished(generation: Generation) -> BackgroundResponse | None:
    """Return the response to the newest request, if its outcome is not known yet."""
    newest = generation.plans.select_related("outcome", "background").order_by("-step").first()
    if newest is None or hasattr(newest, "outcome"):
        return None
    return getattr(newest, "background", None)


def is_taken_up(record: ContextPlan) -> bool:
    """Return whether another process than the one that sent the request has read its answer."""
    response: BackgroundResponse | None = getattr(record, "background", None)
    return response is not None and response.taken_up > 0


def take_up(generation: Generation, events: Sequence[Event] = ()) -> bool:
    """Queue an answer that nobody runs any more, if its provider goes on with it. The `events` are
    its last until then. Return whether it is queued.
    """
    with transaction.atomic():
        if not locked(pk=generation.conversation_id):
            return False
        rows = Generation.objects.filter(
            pk=generation.pk, status__in=ACTIVE, owner=generation.owner
        )
        status, response = rows.values_list("status", flat=True).first(), unfinished(generation)
        if status is None or response is None or not can_be_left(generation, response):
            return False
        rows.update(status=GenerationStatus.QUEUED, owner="", heartbeat_at=timezone.now())
        if status == GenerationStatus.RUNNING:
            response.taken_up += 1
            response.save(update_fields=["taken_up"])
        if events:
            log_end(generation, events)
        queued.send(Generation, generation=generation)
    generation.status, generation.owner = GenerationStatus.QUEUED, ""
    return True


def interrupt_unchanged(generation: Generation) -> bool:
    """Interrupt a generation, unless another process has taken it up or ended it since it was read.
    Return whether it is interrupted.
    """
    with transaction.atomic():
        rows = Generation.objects.filter(
            pk=generation.pk, status=generation.status, owner=generation.owner
        )
        is_unchanged = locked(pk=generation.conversation_id) and rows.exists()
        return bool(is_unchanged) and interrupt(generation)


def can_be_left(generation: Generation, response: BackgroundResponse | None = None) -> bool:
    """Return whether another process may go on with the answer; `response` is the one that its
    provider goes on with, if there is one yet.
    """
    return stands_alone(generation) and (response is None or response.taken_up < MOST)


def stands_alone(generation: Generation) -> bool:
    """Return whether an answer can be gone on with by itself. That of a delegated task cannot:
    nobody waits for it any more. One that continues another cannot: its text depends on that one's.
    """
    is_delegated = generation.conversation.asked_by_id is not None
    return generation.kind == Generation.Kind.ANSWER and not is_delegated


def to_forget(**which: Any) -> list[BackgroundResponse]:
    """Return the responses that the provider has to delete, and note that it is asked to. `which`
    selects them.
    """
    rows = BackgroundResponse.objects.filter(forgotten=False, **which)
    responses = list(rows.select_related("plan__outcome"))
    if responses:  # Mostly there are none, and then nothing need be written.
        BackgroundResponse.objects.filter(pk__in=[each.pk for each in responses]).update(
            forgotten=True
        )
    return responses

"""Answers that their provider goes on with, so that another process can take them up again."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from history.models import ACTIVE, BackgroundResponse, ContextPlan, Generation, GenerationStatus
from history.services.answers.lifecycle import Event, log_end
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

    An answer of a delegated task is not: nobody waits for it. One that continues another is not
    either: its text depends on the other's.
    """
    with transaction.atomic():
        if not locked(pk=generation.conversation_id):
            return False
        response = unfinished(generation)
        if response is None or response.taken_up >= MOST or not stands_alone(generation):
            return False
        rows = Generation.objects.filter(
            pk=generation.pk, status__in=ACTIVE, owner=generation.owner
        )
        now = timezone.now()
        if not rows.update(status=GenerationStatus.QUEUED, owner="", heartbeat_at=now):
            return False
        BackgroundResponse.objects.filter(pk=response.pk).update(taken_up=F("taken_up") + 1)
        if events:
            log_end(generation, events)
        queued.send(Generation, generation=generation)
    generation.status, generation.owner = GenerationStatus.QUEUED, ""
    return True


def stands_alone(generation: Generation) -> bool:
    """Whether the generation can be taken up by another process."""
    is_delegated = generation.conversation.asked_by_id is not None
    return generation.kind == Generation.Kind.ANSWER and not is_delegated

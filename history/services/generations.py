"""The life of a generation in the database. Every write is fenced by its status and its owner."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from history.core.messages import Role
from history.models import (
    ACTIVE,
    Conversation,
    Generation,
    GenerationEvent,
    GenerationStatus,
    Message,
)
from history.services.appending import Draft, append, assistant_draft

HEARTBEAT_LIMIT = timedelta(seconds=90)


class Fenced(Exception):
    """The generation ended by another hand; whoever still runs it must stop writing."""


@dataclass(frozen=True, slots=True)
class Event:
    """One numbered thing that viewers of a generation see."""

    seq: int
    kind: str
    data: dict[str, Any]


def claim(generation: Generation, owner: str) -> bool:
    """Take a queued generation; exactly one caller gets it."""
    now = timezone.now()
    taken = Generation.objects.filter(pk=generation.pk, status=GenerationStatus.QUEUED).update(
        status=GenerationStatus.RUNNING, owner=owner, heartbeat_at=now, started=now
    )
    generation.owner = owner
    return bool(taken)


def log_events(generation: Generation, events: Sequence[Event]) -> None:
    """Write a batch of events; it is the heartbeat too. Raises Fenced once it is not ours."""
    seq = events[-1].seq if events else generation.seq
    with transaction.atomic():
        alive = _held(generation).update(heartbeat_at=timezone.now(), seq=seq)
        if not alive:
            raise Fenced
        _insert_events(generation, events)
    generation.seq = seq


def store_messages(generation: Generation, drafts: Sequence[Draft]) -> list[Message]:
    """Put what a step made onto the path."""
    with transaction.atomic():
        _lock(generation)
        if not _held(generation).exists():
            raise Fenced
        return append(generation.branch, drafts, generation)


def end(
    generation: Generation,
    status: GenerationStatus,
    text: str = "",
    error: dict[str, Any] | None = None,
) -> bool:
    """The one end of a generation, with what was written last. False: another hand was first."""
    try:
        return _end(generation, status, text, error)
    except Fenced:
        return False


def _end(
    generation: Generation, status: GenerationStatus, text: str, error: dict[str, Any] | None
) -> bool:
    draft = assistant_draft(text, agent=generation.snapshot_at()["agent"]["slug"]) if text else None
    with transaction.atomic():
        _lock(generation)
        ended = Generation.objects.filter(pk=generation.pk, status__in=ACTIVE).update(
            status=status, error=error, ended=timezone.now()
        )
        if not ended:
            return False
        if draft:
            append(generation.branch, [draft], generation)
    generation.refresh_from_db()
    return True


def log_end(generation: Generation, events: Sequence[Event]) -> None:
    """The last events, after the end itself is safe."""
    with transaction.atomic():
        _insert_events(generation, events)
        Generation.objects.filter(pk=generation.pk).update(seq=events[-1].seq)


def text_so_far(generation: Generation) -> str:
    """What the event log holds of the step that no message holds yet.

    A step that was planned again more tightly left no message.
    """
    planned_again = generation.plans.filter(plan__percent__lt=100).exists()
    step = generation.messages.filter(role=Role.ASSISTANT).count() + 1 + planned_again
    begun = generation.events.filter(kind="plan", payload__step=step).first()
    if begun is None:
        return ""
    deltas = generation.events.filter(kind="delta", seq__gt=begun.seq).order_by("seq")
    return "".join(payload["text"] for payload in deltas.values_list("payload", flat=True))


def interrupt(generation: Generation) -> bool:
    """End a generation whose process is gone, keeping what it had written."""
    return end(generation, GenerationStatus.INTERRUPTED, text_so_far(generation))


def abandoned(alive: frozenset[str] = frozenset()) -> QuerySet[Generation]:
    """Active generations that nobody runs: no heartbeat for long, or an owner known to be gone.

    With `alive` given, this is the only process: whatever belongs to another owner is abandoned.
    """
    stale = Q(heartbeat_at__lt=timezone.now() - HEARTBEAT_LIMIT)
    stale |= Q(heartbeat_at=None, created__lt=timezone.now() - HEARTBEAT_LIMIT)
    if alive:
        stale |= ~Q(owner__in=alive)
    return Generation.objects.filter(stale, status__in=ACTIVE).select_related(
        "conversation__agent", "branch"
    )


def drop_old_events(hours: int) -> int:
    """Forget the event logs of generations that ended long ago; the messages stay."""
    past = timezone.now() - timedelta(hours=hours)
    return GenerationEvent.objects.filter(generation__ended__lt=past).delete()[0]


def _held(generation: Generation) -> QuerySet[Generation]:
    return Generation.objects.filter(
        pk=generation.pk, status=GenerationStatus.RUNNING, owner=generation.owner
    )


def _lock(generation: Generation) -> None:
    """Hold the conversation; one that was deleted meanwhile ends the run."""
    rows = Conversation.objects.select_for_update().filter(pk=generation.conversation_id)
    if not rows.exists():
        raise Fenced


def _insert_events(generation: Generation, events: Sequence[Event]) -> None:
    GenerationEvent.objects.bulk_create(
        GenerationEvent(generation=generation, seq=e.seq, kind=e.kind, payload=e.data)
        for e in events
    )

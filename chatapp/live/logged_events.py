"""Read the stored events of generations. Every function here runs in a database thread."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from history.models import ACTIVE, OPEN, Generation, GenerationEvent
from history.services.answers.lifecycle import Event

PAGE = 100  # Events that are read from the log at once.
LATELY = timedelta(minutes=5)  # Older endings have been shown by now, or never will be.


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a generation is; `seq` is the number of its newest stored event."""

    generation: UUID
    conversation: UUID
    seq: int
    owner: str
    is_active: bool


def newest_event(conversation_id: UUID, generation_id: UUID) -> tuple[int, str] | None:
    """Return the number and the kind of the last event."""
    rows = GenerationEvent.objects.filter(
        generation=generation_id, generation__conversation=conversation_id
    )
    return rows.order_by("-seq").values_list("seq", "kind").first()


def logged(conversation_id: UUID, generation_id: UUID, stretch: tuple[int, int]) -> list[Event]:
    """Read the first page of the events after the first number, up to the second."""
    after, upto = stretch
    rows = GenerationEvent.objects.filter(
        generation=generation_id,
        generation__conversation=conversation_id,
        seq__gt=after,
        seq__lte=upto,
    ).order_by("seq")[:PAGE]
    return [Event(row.seq, row.kind, row.payload) for row in rows]


def progress(conversations: Collection[UUID]) -> list[Progress]:
    """Return the progress of the generations in these conversations whose events tabs may lack."""
    lately = Q(status__in=OPEN) | Q(ended__gt=timezone.now() - LATELY)
    rows = Generation.objects.filter(lately, conversation__in=conversations)
    rows = rows.filter(branch=F("conversation__branch")).order_by("created")
    return list(_found(rows.values_list("pk", "conversation", "seq", "owner", "status")))


def _found(rows: Iterable[tuple[UUID, UUID, int, str, str]]) -> Iterable[Progress]:
    for pk, conversation, seq, owner, status in rows:
        yield Progress(pk, conversation, seq, owner, status in ACTIVE)

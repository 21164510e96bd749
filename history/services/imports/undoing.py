"""What undoing an import deletes: the chats that it brought, unless they were continued here."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from history.models import Conversation, Generation, Import, ImportEntry
from history.services.answers.deleting import can_be_restored


@dataclass(frozen=True, slots=True)
class Undoing:
    """The chats that an import brought, in three groups: those that are as they came, those that
    were continued here, and those that were deleted but can still be restored.
    """

    untouched: int
    continued: int
    deleted: int


def fruitful(jobs: QuerySet[Import]) -> QuerySet[Import]:
    """Return the imports that can be undone: those with chats here, or with chats to restore."""
    return jobs.filter(_has_chats())


def fruitless(jobs: QuerySet[Import]) -> QuerySet[Import]:
    return jobs.exclude(_has_chats())


def undoing_of(job: Import) -> Undoing:
    here = _brought(job).filter(deleted_at=None)
    touched = here.filter(_is_continued()).count()
    return Undoing(here.count() - touched, touched, _brought(job).filter(can_be_restored()).count())


def to_delete(job: Import, *, continued: bool) -> list[UUID]:
    """Return the chats that undoing the import deletes; `continued` adds those continued here."""
    here = _brought(job).filter(deleted_at=None)
    chats = here if continued else here.exclude(_is_continued())
    return list(chats.order_by("pk").values_list("pk", flat=True))


def to_restore(job: Import) -> list[UUID]:
    """Return the import's chats that were deleted but can still be restored."""
    chats = _brought(job).filter(can_be_restored())
    return list(chats.order_by("pk").values_list("pk", flat=True))


def _brought(job: Import) -> QuerySet[Conversation]:
    entries = job.entries.filter(outcome=ImportEntry.Outcome.STORED)
    return Conversation.objects.filter(pk__in=entries.values("conversation"))


def _has_chats() -> Exists:
    is_there = Q(deleted_at=None) | can_be_restored()
    entries = ImportEntry.objects.filter(
        job=OuterRef("pk"),
        outcome=ImportEntry.Outcome.STORED,
        conversation__in=Conversation.objects.filter(is_there),
    )
    return Exists(entries)


def _is_continued() -> Exists:
    """Return the condition that a chat was continued here, because it has a generation."""
    return Exists(Generation.objects.filter(conversation=OuterRef("pk")))

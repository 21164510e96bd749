"""Undo or restore an import: its chats are deleted and restored in the same way as any others."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from chatapp.generation.deleting import delete_undoably_now
from history.models import Import
from history.services.access import Actor
from history.services.answers.deleting import restore
from history.services.imports.lifecycle import access_import, stop
from history.services.imports.undoing import to_delete, to_restore

AT_ONCE = 200  # The most chats that are deleted in one transaction.


def undo(actor: Actor, import_id: UUID, *, continued: bool = False) -> int:
    """Stop an import and delete its chats. Return how many were deleted. Raise NotFound.

    Chats that were continued here stay, unless `continued` is set.
    """
    ids = to_delete(stop(actor, import_id), continued=continued)
    for some in _portions(ids):
        delete_undoably_now(actor, some)
    return len(ids)


def redo(actor: Actor, import_id: UUID) -> Import:
    """Restore the import's deleted chats that can still be restored. Raise NotFound, Conflict."""
    job = access_import(actor, import_id)
    for some in _portions(to_restore(job)):
        restore(actor, some)
    return job


def _portions(ids: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    return (ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE))

"""Pin chats to the top of the list, and archive chats that the list should not show."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from history.models import Conversation
from history.services.access import Actor, access_several, visible_conversations
from history.services.errors import Conflict

MOST_PINNED = 50  # The most pinned chats of a person, because the list shows all.
PINNED = Q(pinned_at__isnull=False, archived_at__isnull=True)


@transaction.atomic
def shelve(
    actor: Actor,
    ids: Collection[UUID],
    *,
    pinned: bool | None = None,
    archived: bool | None = None,
) -> list[Conversation]:
    """Pin or archive these chats, or undo either; None leaves the state unchanged. Raise NotFound
    or Conflict.

    A chat is never shown as both: archiving suspends a pin until the chat is unarchived, and
    pinning unarchives.
    """
    conversations = access_several(actor, ids, hold=True)
    for conversation in conversations:
        _set(conversation, pinned=pinned, archived=archived)
    Conversation.objects.bulk_update(conversations, ["pinned_at", "archived_at"])
    if pinned or archived is False:
        _refuse_too_many(actor)
    return conversations


def shelved(
    rows: QuerySet[Conversation], *, pinned: bool | None = None, archived: bool | None = None
) -> QuerySet[Conversation]:
    """Filter by whether chats are pinned or archived. None does not filter."""
    if pinned is not None:
        rows = rows.filter(PINNED if pinned else ~PINNED)
    return rows if archived is None else rows.filter(archived_at__isnull=not archived)


def _set(conversation: Conversation, *, pinned: bool | None, archived: bool | None) -> None:
    now = timezone.now()
    if pinned is not None:
        conversation.pinned_at = (conversation.pinned_at or now) if pinned else None
    if archived is not None:
        conversation.archived_at = (conversation.archived_at or now) if archived else None
    if pinned:
        conversation.archived_at = None


def _refuse_too_many(actor: Actor) -> None:
    if visible_conversations(actor).filter(PINNED).count() > MOST_PINNED:
        sentence = _("You can pin at most {most} chats. Unpin one first.")
        raise Conflict("too_many", sentence.format(most=MOST_PINNED))

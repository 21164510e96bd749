"""Delete conversations: hide them at once, delete them for good when it is too late to undo."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from history.models import ACTIVE, Conversation, Generation, Import
from history.services.access import Actor, access_several, own_conversations
from history.services.errors import Conflict
from history.services.media.attaching import drop_unsent

UNDO_SECONDS = 30  # The page offers an undo for slightly less time.
HIDDEN_AT_ONCE = 100  # Chats hidden in one transaction, so that others can write between them.


@transaction.atomic
def hide_deleted(actor: Actor, ids: Collection[UUID]) -> list[UUID]:
    """Hide these chats as deleted; this can be undone. Return all hidden conversations."""
    chats = access_several(actor, ids, hold=True)
    hidden = with_delegated([conversation.pk for conversation in chats])
    Conversation.objects.filter(pk__in=hidden).update(deleted_at=timezone.now())
    return hidden


@transaction.atomic
def restore(actor: Actor, ids: Collection[UUID]) -> None:
    """Undo the deletion of these chats, and of the conversations that agents began in them. Raise
    Conflict if it is too late.
    """
    chats = access_several(actor, ids, hold=True, are_deleted=True)
    if any(
        conversation.deleted_at < _latest() for conversation in chats if conversation.deleted_at
    ):
        raise Conflict("too_late", _("It is too late to undo this: the chat is deleted."))
    hidden = with_delegated([conversation.pk for conversation in chats])
    Conversation.objects.filter(pk__in=hidden).update(deleted_at=None)


def expired_deletions() -> list[UUID]:
    """Return the conversations whose deletion nobody can undo any more."""
    rows = Conversation.objects.filter(deleted_at__lt=_latest())
    return list(rows.order_by("deleted_at").values_list("pk", flat=True))


def can_be_restored() -> Q:
    """Return the condition that a conversation was deleted, but not too long ago."""
    return Q(deleted_at__gte=_latest())


def _latest() -> datetime:
    return timezone.now() - timedelta(seconds=UNDO_SECONDS)


def inactive(since: datetime, *, with_pinned: bool = False) -> QuerySet[Conversation]:
    """Return the chats with no message since this time, and in which no answer is being written.

    Conversations that agents began are left out, because they are deleted with their chats.
    """
    rows = Conversation.objects.filter(active__lt=since, deleted_at=None, asked_by=None)
    rows = rows.exclude(generations__status__in=ACTIVE)
    return rows if with_pinned else rows.filter(pinned_at=None)


def hide_inactive(since: datetime, *, with_pinned: bool = False) -> int:
    """Delete inactive chats as their owners would: a server then deletes for good those that nobody
    restores. Return how many were deleted.
    """
    rows = inactive(since, with_pinned=with_pinned).order_by("active").values_list("pk", flat=True)
    ids = list(rows)
    return sum(
        _hide(ids[first : first + HIDDEN_AT_ONCE]) for first in range(0, len(ids), HIDDEN_AT_ONCE)
    )


@transaction.atomic
def _hide(ids: Sequence[UUID]) -> int:
    Conversation.objects.filter(pk__in=with_delegated(ids)).update(deleted_at=timezone.now())
    return len(ids)


@transaction.atomic
def delete_conversations(ids: Iterable[UUID]) -> None:
    """Delete these conversations, locking them first: a concurrent write waits, then finds none."""
    all_ids = with_delegated(_held(ids))
    _held(all_ids)
    list(Generation.objects.select_for_update().filter(conversation__in=all_ids).values_list("pk"))
    Conversation.objects.filter(pk__in=all_ids).delete()


def _held(ids: Iterable[UUID]) -> list[UUID]:
    rows = Conversation.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    return list(rows.values_list("pk", flat=True))


@transaction.atomic
def delete_users(ids: Collection[int]) -> None:
    """Delete users with their conversations. The users are locked, so that they begin no others.

    Their imports are locked before them, as they are when an imported chat is stored: otherwise the
    two transactions could wait for each other.
    """
    list(Import.objects.select_for_update().filter(owner__in=ids).order_by("pk").values_list("pk"))
    list(User.objects.select_for_update().filter(pk__in=ids).values_list("pk"))
    delete_conversations(conversations_of(ids))
    User.objects.filter(pk__in=ids).delete()


@transaction.atomic
def delete_everything(actor: Actor) -> None:
    """Delete everything that belongs to the actor for good, including a user's account."""
    if actor.user:
        delete_users([actor.user.pk])
    elif not actor.is_nobody:
        delete_conversations(own_conversations(actor).values_list("pk", flat=True))
        Import.objects.filter(**actor.ownership).delete()
        drop_unsent(actor)


def may_leave(user: User) -> bool:
    """Whether the user's account may be deleted: it is not that of the last active superuser."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    return not user.is_superuser or others.exists()


def conversations_of(users: Collection[int]) -> list[UUID]:
    return list(Conversation.objects.filter(owner__in=users).values_list("pk", flat=True))


def with_delegated(ids: Iterable[UUID]) -> list[UUID]:
    """Return these conversations and all that agents began in them, directly or through others."""
    newest = all_ids = list(ids)
    while newest:
        children = Conversation.objects.filter(asked_by__conversation__in=newest)
        newest = list(children.exclude(pk__in=all_ids).values_list("pk", flat=True))
        all_ids = all_ids + newest
    return all_ids

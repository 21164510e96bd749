"""Delete conversations for good, with those that agents began in them."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from history.models import Conversation, Generation


@transaction.atomic
def delete_conversations(ids: Iterable[UUID]) -> None:
    """Delete them, holding them all first: a pending write waits, then finds them gone."""
    held = with_delegated(_held(ids))
    _held(held)
    list(Generation.objects.select_for_update().filter(conversation__in=held).values_list("pk"))
    Conversation.objects.filter(pk__in=held).delete()


def _held(ids: Iterable[UUID]) -> list[UUID]:
    rows = Conversation.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    return list(rows.values_list("pk", flat=True))


@transaction.atomic
def delete_users(ids: Collection[int]) -> None:
    """Delete users with their conversations, holding the users so that none begins another one."""
    list(User.objects.select_for_update().filter(pk__in=ids).values_list("pk"))
    delete_conversations(conversations_of(ids))
    User.objects.filter(pk__in=ids).delete()


def conversations_of(users: Collection[int]) -> list[UUID]:
    return list(Conversation.objects.filter(owner__in=users).values_list("pk", flat=True))


def with_delegated(ids: Iterable[UUID]) -> list[UUID]:
    """Add the conversations that agents began in them, however deep."""
    newest = found = list(ids)
    while newest:
        children = Conversation.objects.filter(asked_by__conversation__in=newest)
        newest = list(children.exclude(pk__in=found).values_list("pk", flat=True))
        found = found + newest
    return found

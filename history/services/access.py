"""Find out who makes a request, and which conversations they may open, for pages and the API."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.base import SessionBase
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from agents.tools import Audience
from history.models import Attachment, Conversation, Generation, Import, Viewing
from history.services.errors import NotFound
from history.services.prepared import field, prepared

VISITOR = "visitor"
PERIOD = 600  # How many seconds one row of the viewing record covers.
ADOPTED = "adopted"  # The session's key for the visitor that its user was before signing in.


@dataclass(frozen=True, slots=True)
class Actor:
    """The person who asks: a user, a visitor whom an anonymous session remembers, or nobody."""

    user: User | None = None
    visitor: str = ""

    @property
    def is_nobody(self) -> bool:
        return self.user is None and not self.visitor

    @property
    def person(self) -> str:
        """The same identity in all of a person's sessions, by which their tabs, limits and shared
        places are found.
        """
        return _person(self.user.pk if self.user else None, self.visitor)

    @property
    def is_staff(self) -> bool:
        return self.user is not None and self.user.is_staff

    @property
    def may_read_all(self) -> bool:
        """Whether they may read everybody's chats, on pages that record the access."""
        if self.user is None or not self.user.is_staff:
            return False
        return self.user.has_perm("history.read_all")

    @property
    def audience(self) -> Audience:
        """The audience this person belongs to: the audience decides which tools they may use."""
        if self.user is None:
            return Audience.EVERYONE
        return Audience.STAFF if self.is_staff else Audience.SIGNED_IN

    @property
    def ownership(self) -> dict[str, Any]:
        """The field values of a conversation that belongs to this actor."""
        if self.user:
            return {"owner": self.user, "visitor": ""}
        return {"owner": None, "visitor": self.visitor}

    def owns(self, conversation: Conversation) -> bool:
        if self.user:
            return conversation.owner_id == self.user.pk
        return bool(self.visitor) and conversation.visitor == self.visitor


def person_of(owned: Conversation | Import) -> str:
    """Return the owner of a conversation or an import in the form of `Actor.person`."""
    return _person(owned.owner_id, owned.visitor)


def _person(user: int | None, visitor: str) -> str:
    return f"visitor:{visitor}" if user is None else f"user:{user}"


def actor_of(request: HttpRequest) -> Actor:
    """Return the actor of a page or an API call. A newcomer is nobody, because merely opening a
    page makes no session.
    """
    return known_actor(request.user, request.session)


def begin_visit(session: SessionBase) -> None:
    """Give somebody without an account a session, which begins with their first message."""
    session[VISITOR] = uuid.uuid4().hex


def known_actor(user: User | AnonymousUser, session: SessionBase | Mapping[str, Any]) -> Actor:
    if isinstance(user, User):
        return Actor(user=user)
    return Actor(visitor=session.get(VISITOR, "") if settings.ANONYMOUS_CHAT else "")


def visible_conversations(actor: Actor) -> QuerySet[Conversation]:
    """Return the actor's conversations that are not deleted, the most recent first."""
    return own_conversations(actor).filter(deleted_at=None)


def deleted_conversations(actor: Actor) -> QuerySet[Conversation]:
    """Return the actor's deleted conversations, which they may restore if it is not too late."""
    return own_conversations(actor).exclude(deleted_at=None)


def own_conversations(actor: Actor) -> QuerySet[Conversation]:
    """Return all of the actor's stored conversations, even deleted ones, the most recent first."""
    if actor.is_nobody:
        return Conversation.objects.none()
    return Conversation.objects.filter(**actor.ownership).order_by("-active", "-id")


def listed_conversations(actor: Actor) -> QuerySet[Conversation]:
    """List conversations that people began; delegated ones are reached from these."""
    return visible_conversations(actor).filter(asked_by=None)


def readable_conversations(actor: Actor) -> QuerySet[Conversation]:
    """List conversations that the actor may read on the inspector's pages: all, or their own."""
    everything = Conversation.objects.filter(deleted_at=None)
    return everything if actor.may_read_all else visible_conversations(actor)


def may_inspect(actor: Actor, conversation_id: UUID) -> bool:
    """Return whether the conversation exists and the actor may read everybody's. For other actors
    the answer does not depend on whether it exists.
    """
    return actor.may_read_all and readable_conversations(actor).filter(pk=conversation_id).exists()


def access_conversation(
    actor: Actor,
    conversation_id: UUID | str,
    *,
    hold: bool = False,
    reading: Viewing.Page | None = None,
) -> Conversation:
    """Return the conversation with its agent and branch. Raise NotFound both if it does not exist
    and if it is hidden from the actor.

    The conversation must be the actor's own, unless `reading` names one of the pages on which
    readers may open any conversation. Opening another person's conversation is then recorded.

    `hold` locks the conversation until the transaction ends. On SQLite the transaction itself is
    the lock, since it begins IMMEDIATE. A held conversation is loaded without joins: after waiting
    for the lock, PostgreSQL reads the locked row again, but not the rows joined to it, such as its
    branch.
    """
    if hold:
        return _held(actor, conversation_id)
    rows = readable_conversations(actor) if reading else visible_conversations(actor)
    try:
        conversation = rows.select_related("agent", "network", "branch").get(pk=conversation_id)
    except (Conversation.DoesNotExist, ValueError) as error:
        raise NotFound from error
    if reading:
        record_reading(actor, conversation, reading)
    return conversation


def _held(actor: Actor, conversation_id: UUID | str) -> Conversation:
    conversation = None
    if actor.user:
        conversation = held_of_user.first(pk=conversation_id, whose=actor.user.pk)
    elif actor.visitor:
        conversation = held_of_visitor.first(pk=conversation_id, whose=actor.visitor)
    if conversation is None:
        raise NotFound
    return conversation


@prepared(pk=field(Conversation, "id"), whose=field(Conversation, "owner"))
def held_of_user(pk: Any, whose: Any) -> QuerySet[Conversation]:
    return visible_conversations(Actor(user=whose)).select_for_update().filter(pk=pk)


@prepared(pk=field(Conversation, "id"), whose=field(Conversation, "visitor"))
def held_of_visitor(pk: Any, whose: Any) -> QuerySet[Conversation]:
    return visible_conversations(Actor(visitor=whose)).select_for_update().filter(pk=pk)


def access_several(
    actor: Actor, ids: Collection[UUID], *, hold: bool = False, are_deleted: bool = False
) -> list[Conversation]:
    """Return these conversations of the actor. `hold` is as in `access_conversation`.

    Only deleted conversations count if `are_deleted`, and otherwise only the others. Raise NotFound
    if one is missing.
    """
    rows = deleted_conversations(actor) if are_deleted else visible_conversations(actor)
    rows = rows.select_for_update() if hold else rows
    conversations = list(rows.filter(pk__in=ids).order_by("pk"))
    if not conversations or len(conversations) < len(set(ids)):
        raise NotFound
    return conversations


def access_generation(
    actor: Actor, conversation_id: UUID, generation_id: UUID, *, hold: bool = False
) -> Generation:
    """Return a generation of the actor's; `hold` locks its conversation. Raise NotFound."""
    conversation = access_conversation(actor, conversation_id, hold=hold)
    generation = conversation.generations.filter(pk=generation_id).first()
    if generation is None:
        raise NotFound("answer")
    return generation


def record_reading(actor: Actor, conversation: Conversation, page: Viewing.Page) -> None:
    """Record that the actor opens another person's conversation, before any of it is shown.

    A single statement does this, so that a page that makes many requests at once leaves only one
    row.
    """
    if actor.user is None or actor.owns(conversation):
        return
    row = Viewing(
        viewer=actor.user.get_username(),
        conversation=conversation.pk,
        owner=conversation.owner.get_username() if conversation.owner else "",
        page=page,
        period=int(timezone.now().timestamp()) // PERIOD,
    )
    Viewing.objects.bulk_create([row], ignore_conflicts=True)


def may_see_cost(actor: Actor, conversation: Conversation) -> bool:
    """Whether the actor sees costs: owners do unless OWNERS_SEE_COST is false; others need a
    permission.
    """
    return (settings.OWNERS_SEE_COST and actor.owns(conversation)) or may_see_all_costs(actor)


def may_see_all_costs(actor: Actor) -> bool:
    return actor.user is not None and actor.user.has_perm("history.view_cost")


def adopt_visitor(user: User, visitor: str) -> int:
    """Give the user the chats, attached files and imports that they had as a visitor before they
    signed in. Return the number of chats.
    """
    Attachment.objects.filter(visitor=visitor).update(owner=user, visitor="")
    Import.objects.filter(visitor=visitor).update(owner=user, visitor="")
    return Conversation.objects.filter(visitor=visitor).update(owner=user, visitor="")

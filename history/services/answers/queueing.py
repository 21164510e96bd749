"""The common part of sending, editing and asking again: one message stored, one answer queued."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import QuerySet
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.choice import selectable
from history.core.transcript.parts import Part, attached_tokens
from history.models import Attachment, Branch, Conversation, Generation, Message
from history.services.access import Actor
from history.services.answers.changes import note_message
from history.services.errors import Conflict, NotFound
from history.services.inserting import insert
from history.services.media.attaching import give
from history.services.media.refusing import refuse_images
from history.services.path.appending import NewMessage, append
from history.services.prepared import field, follow, prepared
from history.services.settings.answerer import answerer_on
from history.services.settings.layers import draft_for, frozen

Admit: TypeAlias = Callable[[int], None]
Parts: TypeAlias = tuple[Part, ...]
queued = Signal()  # A `generation` waits to be begun; sent within the transaction that stores it.


@dataclass(frozen=True, slots=True)
class Ack:
    """The server's reply to a command. `is_new` is false if the command had been carried out
    before.

    `given_up` is the answer that waited for a decision until this message was sent.
    """

    conversation: Conversation
    generation: Generation
    message: Message | None
    is_new: bool = True
    given_up: Generation | None = None


def admit_all(size: int) -> None:
    """Refuse nothing: an `admit` for callers without limits."""


def with_parts(new: NewMessage, parts: Parts) -> NewMessage:
    return replace(new, parts=parts, tokens=new.tokens + attached_tokens(parts))


def branch_of(conversation: Conversation) -> Branch:
    """Return the branch that is open."""
    follow(conversation, "branch")
    if conversation.branch is None:
        raise NotFound
    return conversation.branch


def fork(conversation: Conversation, branch: Branch, through: int) -> Branch:
    lineage = branch.fork_lineage(through)
    return Branch.objects.create(conversation=conversation, lineage=lineage)


def earlier_ack(
    conversation: Conversation, new: NewMessage, attachments: Sequence[UUID]
) -> Ack | None:
    """Return the reply to this very message, if it was sent before. Raise Conflict if its id was
    used for another message.
    """
    message = sent_as.first(conversation=conversation.pk, id_=new.client_msg_id)
    if message is None:
        return None
    if message.text != new.text or set(attachments) != set(_attached_to(message)):
        raise Conflict("conflict", _("A different message was already sent with this id."))
    generation = conversation.generations.filter(branch=message.branch_id, turn=message.turn)
    return Ack(conversation, generation.earliest("created"), message, is_new=False)


@prepared(conversation=field(Message, "conversation"), id_=field(Message, "client_msg_id"))
def sent_as(conversation: Any, id_: Any) -> QuerySet[Message]:
    return Message.objects.filter(conversation=conversation, client_msg_id=id_).order_by("pk")[:1]


def _attached_to(message: Message) -> list[UUID]:
    """Return the files attached to a message, without files kept from an earlier message that it
    rewords.
    """
    return list(message.attachments.values_list("pk", flat=True))


def queue(  # noqa: PLR0913 -- the one place where all that a generation starts from meets
    actor: Actor,
    conversation: Conversation,
    branch: Branch,
    query: str,
    new: NewMessage | None = None,
    *,
    files: Sequence[Attachment] = (),
    parts: Parts = (),
    turn: int = 0,
    kind: Generation.Kind = Generation.Kind.ANSWER,
    after: Message | None = None,
) -> Ack:
    """Store the message, if there is a new one, and queue its answer. `parts` are those of a
    message that is answered again.
    """
    answerer = answerer_on(conversation, branch)
    snapshot = draft_for(conversation, answerer.template, actor, query, answerer.note)
    others = selectable(answerer.template)
    refuse_images(snapshot.agent.model, new.parts if new else parts, others)
    message = append(branch, [new], head=after)[0] if new else None
    if message:
        give(files, message)
        conversation.archived_at = None  # Who goes on with a chat wants it in the list.
    generation = Generation(
        conversation=conversation,
        branch=branch,
        turn=message.turn if message else turn,
        kind=kind,
        snapshot=frozen(snapshot),
    )
    insert(generation)
    generation.question = message
    conversation.branch = branch
    conversation.active = timezone.now()
    note_message(
        pk=conversation.pk,
        branch=branch.pk,
        model=conversation.model,
        archived=conversation.archived_at,
        now=conversation.active,
    )
    queued.send(Generation, generation=generation)
    return Ack(conversation, generation, message)

"""Begin a conversation, name it, choose its open branch, and note whether it has a new answer."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID, uuid5

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.models import AgentTemplate
from agents.networks.models import Network
from history.core.transcript.messages import Role
from history.core.transcript.parts import Part
from history.models import Branch, Conversation, Generation, GenerationStatus, Message
from history.services.access import Actor, access_conversation
from history.services.answers.changes import note_new_answer
from history.services.answers.chats.titles import first_title, title_of
from history.services.answers.commands import Send
from history.services.errors import Conflict, NotFound
from history.services.path.appending import NewMessage
from history.services.path.reading import active_generation, on_path
from history.services.settings.beginning import begun_with
from history.services.settings.choosing import checked_model
from history.services.texts import checked_title

BY_PERSON = (GenerationStatus.STOPPED, GenerationStatus.PASSED_OVER)
CONVERSATION_IDS = UUID("5f0c3a52-94a1-4c59-8f4c-1f0f3f9d7c11")


def first_id(actor: Actor, new: NewMessage) -> UUID:
    """Derive the new conversation's id from its first message, so that sending this message again
    makes no second conversation.
    """
    key = actor.user.pk if actor.user else actor.visitor
    return uuid5(CONVERSATION_IDS, f"{key}:{new.client_msg_id}")


def begin(actor: Actor, new: NewMessage, command: Send) -> Conversation | None:
    """Create a conversation and its branch; the caller stores the first message.

    Return None if another call has just made it.
    """
    who = _answered_by(command.agent, command.network) | actor.ownership
    who["model"] = checked_model(who["agent"], command.model)
    try:
        with transaction.atomic():
            conversation = Conversation.objects.create(
                id=first_id(actor, new),
                title=title_of(new.text),
                history_settings=begun_with(actor, command.query),
                active=timezone.now(),
                **who,
            )
    except IntegrityError:
        return None
    conversation.branch = Branch.objects.create(conversation=conversation)
    return conversation


def _answered_by(agent: str, network: str) -> dict[str, Any]:
    """Return the fields that say who answers. A network's entry agent need not be offered as an
    agent of its own.
    """
    where = None
    if network:
        where = Network.objects.filter(slug=network, enabled=True).first()
        if where is None:
            raise NotFound("network")
    condition = {"slug": where.entry} if where else {"slug": agent, "enabled": True}
    template = AgentTemplate.objects.filter(**condition).first()
    if template is None:
        raise NotFound("agent")
    return {"agent": template, "network": where}


@transaction.atomic
def rename_conversation(actor: Actor, conversation_id: UUID, title: str) -> Conversation:
    """Rename the conversation. Raise Refused if it cannot have this title."""
    conversation = access_conversation(actor, conversation_id, hold=True)
    conversation.title = checked_title(title)
    conversation.save(update_fields=["title"])
    return conversation


@transaction.atomic
def open_branch(actor: Actor, conversation_id: UUID, branch_id: int) -> Conversation:
    """Open this branch: it is shown, names the conversation unless a person did, and is continued.
    Raise NotFound, and Conflict while an answer is being written.
    """
    conversation = access_conversation(actor, conversation_id, hold=True)
    if active_generation(conversation):
        sentence = _("Wait for the answer, or stop it, before switching branches.")
        raise Conflict("busy", sentence)
    conversation.branch = conversation.branches.filter(pk=branch_id).first()
    if conversation.branch is None:
        raise NotFound("branch")
    conversation.save(update_fields=["branch"])
    if first := _first_messages(conversation).filter(on_path(conversation.branch)).first():
        retitle(conversation, first.text, first.as_core().parts)
    return conversation


def retitle(conversation: Conversation, text: str, parts: Iterable[Part]) -> None:
    """Make the title from the first message that is shown, unless somebody gave the chat its
    title.
    """
    versions = _first_messages(conversation)
    titles = {first_title(each.text, each.as_core().parts) for each in versions}
    title = first_title(text, parts)
    if title and conversation.title in titles - {title}:
        conversation.title = title
        conversation.save(update_fields=["title"])


def _first_messages(conversation: Conversation) -> QuerySet[Message]:
    """Return all versions of the first message, one for each branch that begins with its own."""
    return conversation.messages.filter(role=Role.USER, turn=1)


def note_answer(generation: Generation, status: GenerationStatus) -> None:
    """Note that an answer has ended. The person who ended it knows; no tab shows an experiment."""
    if status not in BY_PERSON and not generation.is_experiment:
        note_new_answer(pk=generation.conversation_id)


def see_answer(actor: Actor, conversation_id: UUID) -> bool:
    """Note that the owner has looked at the newest answer. Return whether it was new."""
    if not access_conversation(actor, conversation_id).has_new_answer:
        return False
    rows = Conversation.objects.filter(pk=conversation_id, has_new_answer=True)
    return bool(rows.update(has_new_answer=False))

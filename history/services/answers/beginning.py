"""Begin a conversation, and hand an answer over to another agent in the middle of it."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid5

from django.db import IntegrityError, transaction
from django.utils import timezone

from agents.models import AgentTemplate
from agents.networks.models import Network
from history.core.messages import ToolCall
from history.models import Branch, Conversation, Generation, Message
from history.services.access import Actor
from history.services.answers.conversation import title_of
from history.services.answers.lifecycle import store_messages
from history.services.errors import NotFound
from history.services.path.appending import NewMessage, result_message
from history.services.settings.layers import snapshot_for

CONVERSATION_IDS = UUID("5f0c3a52-94a1-4c59-8f4c-1f0f3f9d7c11")


def first_id(actor: Actor, new: NewMessage) -> UUID:
    """Derive the id from the message, so that a lost ack makes no second conversation."""
    key = actor.user.pk if actor.user else actor.visitor
    return uuid5(CONVERSATION_IDS, f"{key}:{new.client_msg_id}")


def begin(actor: Actor, new: NewMessage, *, agent: str, network: str) -> Conversation | None:
    """Create a conversation with its branch, to be stored with the first message.

    Return None if another call has just made it.
    """
    who = _answered_by(agent, network) | actor.ownership
    try:
        with transaction.atomic():
            conversation = Conversation.objects.create(
                id=first_id(actor, new), title=title_of(new.text), active=timezone.now(), **who
            )
    except IntegrityError:
        return None
    conversation.branch = Branch.objects.create(conversation=conversation)
    return conversation


def _answered_by(agent: str, network: str) -> dict[str, Any]:
    """Return the fields that say who answers. A network's entry agent need not be offered by
    itself.
    """
    if not network:
        found = AgentTemplate.objects.filter(slug=agent, enabled=True).first()
        if found is None:
            raise NotFound("agent")
        return {"agent": found}
    where = Network.objects.filter(slug=network, enabled=True).first()
    if where is None:
        raise NotFound("network")
    entry = AgentTemplate.objects.filter(slug=where.entry).first()
    if entry is None:
        raise NotFound("agent")
    return {"agent": entry, "network": where}


GONE = "Error: not handed over: the agent {} no longer exists."


def hand_over(generation: Generation, step: int, call: ToolCall, text: str, slug: str) -> Message:
    """Store the result of the step's call; the next request is made for the agent `slug`.

    Both happen or neither: a result on the path implies the agent that it names.
    """
    template = AgentTemplate.objects.filter(slug=slug).first()
    if template is None:
        new = result_message(call, GONE.format(slug), failed=True)
        return store_messages(generation, [new])[0]
    part = _part(generation, template, step + 1)
    new = replace(result_message(call, text, failed=False), agent=slug)
    with transaction.atomic():
        (message,) = store_messages(generation, [new])
        earlier = generation.snapshot.get("handed_over", [])
        generation.snapshot = {**generation.snapshot, "handed_over": [*earlier, part]}
        generation.save(update_fields=["snapshot"])
    return message


def _part(generation: Generation, template: AgentTemplate, step: int) -> dict[str, Any]:
    """Return what `Generation.snapshot_at` finds for the step and those after it."""
    conversation = generation.conversation
    actor = Actor(conversation.owner, conversation.visitor)
    whole = snapshot_for(conversation, template, actor, generation.snapshot["query"])
    return {"step": step, **{name: whole[name] for name in ("agent", "settings", "factor")}}

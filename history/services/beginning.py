"""A conversation begins with its first message, with an agent or in a network."""

from typing import Any
from uuid import UUID

from django.utils import timezone

from agents.models import AgentTemplate, Network
from history.models import Branch, Conversation
from history.services.access import Actor, access_conversation
from history.services.errors import NotFound
from history.services.titles import title_of


def begin(
    actor: Actor, conversation_id: UUID, text: str, *, agent: str, network: str
) -> Conversation:
    """A new conversation, unless the same command was at work just now and made it."""
    fields = {"title": title_of(text), "active": timezone.now()}
    conversation, is_new = Conversation.objects.get_or_create(
        id=conversation_id, defaults=fields | _answered_by(agent, network) | actor.ownership
    )
    if not is_new:
        return access_conversation(actor, conversation_id, hold=True)
    conversation.branch = Branch.objects.create(conversation=conversation)
    conversation.save(update_fields=["branch"])
    return conversation


def _answered_by(agent: str, network: str) -> dict[str, Any]:
    """The fields that say who answers. A network's entry agent need not be offered by itself."""
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

"""Store a scenario with the app's own services."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from agents.models import AgentTemplate
from history.core.transcript.messages import Role, ToolCall
from history.models import Branch, Conversation
from history.services.access import Actor
from history.services.path.appending import (
    NewMessage,
    append,
    assistant_message,
    result_message,
    user_message,
)
from history.services.path.marks import mark
from history.tokens import count_message


def store(given: Mapping[str, Any]) -> str:
    with transaction.atomic():
        conversation = Conversation.objects.create(
            agent=_agent(given["agent"]), visitor=given["visitor"], active=timezone.now()
        )
        ids = _branches(conversation, given)
        conversation.save(update_fields=["branch"])
    actor = Actor(visitor=conversation.visitor)
    for position, kind in given["marks"].items():
        mark(actor, conversation.pk, ids[int(position)], kind)
    return str(conversation.pk)


def _agent(fields: Mapping[str, Any]) -> AgentTemplate:
    """Make an agent whose prompt the owners of its chats may read, so that tests can compare it."""
    agent = AgentTemplate(slug=f"a-{uuid4().hex}", name="Random", prompt_is_public=True, **fields)
    agent.full_clean()
    agent.save()
    return agent


def _branches(conversation: Conversation, given: Mapping[str, Any]) -> list[int]:
    """Store the path's messages and return their ids; the last branch is the open one."""
    drafts, fork = list(map(_draft, given["messages"])), given["fork"]
    conversation.branch = branch = Branch.objects.create(conversation=conversation)
    if fork is None:
        return [message.pk for message in append(branch, drafts)]
    elsewhere = [user_message(f"elsewhere {n}") for n in range(given["abandoned"])]
    shared = append(branch, [*drafts[: fork + 1], *elsewhere])[: fork + 1]
    lineage = branch.fork_lineage(fork)
    conversation.branch = Branch.objects.create(conversation=conversation, lineage=lineage)
    own = append(conversation.branch, drafts[fork + 1 :])
    return [message.pk for message in [*shared, *own]]


def _draft(message: Mapping[str, Any]) -> NewMessage:
    role, text = Role(message["role"]), message["text"]
    calls = [ToolCall(**call) for call in message["calls"]]
    if role is Role.ASSISTANT:
        return assistant_message(text, calls)
    if role is Role.TOOL:
        return result_message(ToolCall(message["call_id"], "search", "{}"), text, failed=False)
    return NewMessage(role, text, count_message(role, text, ()))

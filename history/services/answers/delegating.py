"""Give a task to another agent, in a conversation of its own, or hand the answer over to that
agent.
"""

from collections.abc import Iterable, Set
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from agents.models import AgentTemplate
from agents.networks.agent_tools import Delegate
from agents.tools import UNASKED
from history.core.transcript.messages import Role, ToolCall
from history.models import Branch, Conversation, Generation, GenerationStatus, Message
from history.services.access import Actor
from history.services.answers.chats.titles import title_of
from history.services.answers.lifecycle import store_messages
from history.services.errors import Conflict, NotFound
from history.services.path.appending import append, result_message, user_message
from history.services.settings.layers import TriedSettings, draft_for, frozen
from history.services.texts import checked_text

GONE = "Error: not handed over: the agent {} no longer exists."


def delegate(parent: Generation, call_id: str, slug: str, task: str) -> Generation:
    """Queue the answer to a task. Raise Refused if there is no such agent, if the answer has
    delegated too many tasks, or if the text can't be stored.

    The task's conversation belongs to the same person as the chat. The chat's URL settings don't
    apply to the task.
    """
    new = user_message(checked_text(task))
    with transaction.atomic():
        asking = Conversation.objects.select_for_update().get(pk=parent.conversation_id)
        if Conversation.objects.filter(asked_by=parent).count() >= settings.DELEGATIONS:
            raise Conflict(
                "too_many", f"an answer can delegate at most {settings.DELEGATIONS} tasks."
            )
        template = AgentTemplate.objects.filter(slug=slug).first()
        if template is None:
            raise NotFound("agent")
        actor = Actor(asking.owner, asking.visitor)
        child = Conversation.objects.create(
            **actor.ownership,
            agent=template,
            asked_by=parent,
            asked_call=call_id,
            depth=asking.depth + 1,
            title=title_of(task),
            active=timezone.now(),
        )
        child.branch = Branch.objects.create(conversation=child)
        child.save(update_fields=["branch"])
        (message,) = append(child.branch, [new])
        return Generation.objects.create(
            conversation=child,
            branch=child.branch,
            turn=message.turn,
            snapshot=frozen(draft_for(child, template, actor, "")),
        )


def answer_to(child: Generation) -> str:
    """Return the asked agent's last text. Raise Conflict if its generation has not ended well."""
    child.refresh_from_db()
    if child.status != GenerationStatus.DONE:
        reason = (child.error or {}).get("message", f"the answer was {child.status}.")
        raise Conflict("failed", str(reason))
    messages = child.messages.filter(role=Role.ASSISTANT, has_text=True).order_by("-position")
    return str(messages.values_list("text", flat=True).first() or "")


def delegated_by(parent: Generation, call_id: str) -> Conversation | None:
    """Return the conversation that a call began, if any."""
    rows = Conversation.objects.select_related("agent", "branch", "network")
    return rows.filter(asked_by=parent, asked_call=call_id).first()


def hindered_in(messages: Iterable[Message]) -> Set[str]:
    """Return the delegating calls whose agent was refused a tool because nobody was there to
    approve.
    """
    asking = {
        message.generation_id
        for message in messages
        if any(str(call["name"]).startswith(Delegate.prefix) for call in message.tool_calls)
    }
    if not asking:
        return frozenset()
    refusals = Message.objects.filter(role=Role.TOOL, failed=True, text__contains=UNASKED)
    children = refusals.filter(conversation__asked_by__in=asking)
    return frozenset(children.values_list("conversation__asked_call", flat=True))


def asker_of(child: Conversation) -> str:
    """Name the agent that began this conversation; empty if a person did.

    Several agents may have written the answer, so the message with the call is searched for.
    """
    if child.asked_by is None:
        return ""
    names = child.asked_by.agent_names
    for message in child.asked_by.messages.filter(role=Role.ASSISTANT):
        if any(call["id"] == child.asked_call for call in message.tool_calls):
            return names.get(message.agent, message.agent)
    return ""


def delegated_within(conversation: Conversation) -> list[Conversation]:
    """Return all conversations delegated from here, directly or through others.

    The owner's conversations are searched, because a long conversation has very many answers.
    """
    owner, visitor = conversation.owner_id, conversation.visitor
    person = Q(owner=owner) if owner else Q(visitor=visitor)
    rows = Conversation.objects.filter(person, depth__gt=0)
    conversations: list[Conversation] = []
    asking = [conversation]
    while asking:
        asking = list(rows.filter(asked_by__conversation__in=asking))
        conversations += asking
    return conversations


def hand_over(generation: Generation, step: int, call: ToolCall, text: str, slug: str) -> Message:
    """Store the result of the step's call; the agent `slug` makes the next request. If this agent
    is gone, store that as the result.

    The result, which names the agent, and the agent's snapshot are stored together or not at all.
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
        snapshot = {**generation.snapshot, "handed_over": [*earlier, part]}
        Generation.objects.filter(pk=generation.pk).update(snapshot=snapshot)
    generation.snapshot = snapshot
    return message


def _part(generation: Generation, template: AgentTemplate, step: int) -> dict[str, Any]:
    """Return the part of the snapshot that `Generation.snapshot_at` reads from this step on."""
    conversation = generation.conversation
    actor = Actor(conversation.owner, conversation.visitor)
    trial = TriedSettings.of(generation.snapshot)
    query = generation.snapshot["query"]
    whole = frozen(draft_for(conversation, template, actor, query, trial=trial))
    return {"step": step, **{name: whole[name] for name in ("agent", "settings", "factor")}}

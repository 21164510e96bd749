"""Hand over in the middle of an answer: put the result on the path, and change who answers."""

from dataclasses import replace
from typing import Any

from django.db import transaction

from agents.models import AgentTemplate
from history.core.messages import ToolCall
from history.models import Generation, Message
from history.services.access import Actor
from history.services.answers.lifecycle import store_messages
from history.services.path.appending import result_message
from history.services.settings.layers import snapshot_for

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

"""Name the speaker of what was found: an agent, by its name at that time, or a tool."""

from collections.abc import Iterable, Mapping
from typing import Any

from history.core.transcript.messages import Role
from history.models import Generation, Message

NAME, SLUG = "snapshot__agent__name", "snapshot__agent__slug"


def speakers(messages: Iterable[Message]) -> dict[int, str]:
    """Return the name of the agent or tool for each message that is not a person's. An imported
    answer has the name of its agent or else of its model, if its file gives one.
    """
    others = [message for message in messages if message.role != Role.USER]
    names = _names({message.generation_id for message in others if message.role == Role.ASSISTANT})
    return {message.pk: _name(message, names) for message in others}


def _name(message: Message, names: Mapping[Any, Mapping[str, str]]) -> str:
    if message.role == Role.TOOL:
        return message.tool_name
    if message.imported:
        return message.agent or message.model
    of_answer = names.get(message.generation_id, {})
    return of_answer.get(message.agent) or of_answer.get("", "")


def _names(generations: Iterable[Any]) -> dict[Any, dict[str, str]]:
    """Return the names of each generation's agents by slug; an empty slug is the first agent's."""
    rows = Generation.objects.filter(pk__in=[pk for pk in generations if pk])
    values = rows.values_list("pk", NAME, SLUG, "snapshot__handed_over")
    return {pk: {"": name, slug: name, **_later(parts)} for pk, name, slug, parts in values}


def _later(parts: Iterable[Mapping[str, Any]] | None) -> dict[str, str]:
    return {part["agent"]["slug"]: part["agent"]["name"] for part in parts or ()}

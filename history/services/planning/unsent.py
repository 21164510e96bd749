"""What is known of a request's parameters before it goes."""

from collections.abc import Mapping
from typing import Any

from agents.catalogue import catalogue
from history.core.facts import Note, Rule, note

NAMES = {"temperature": "temperature", "output_limit": "max_tokens"}


def not_taken(agent: Mapping[str, Any], effort: str | None) -> tuple[Note, ...]:
    """Note each parameter that will not be sent, since the agent's model doesn't take it."""
    asked = {name: agent.get(ours) for ours, name in NAMES.items()} | {"reasoning_effort": effort}
    given = {name: value for name, value in asked.items() if value is not None}
    model = agent["model"]
    return tuple(
        note(Rule.NOT_TAKEN, name=name, value=given[name], model=model)
        for name in catalogue().not_taken(model, given)
    )

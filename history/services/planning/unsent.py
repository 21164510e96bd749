"""What is known of a request's parameters before it goes."""

from collections.abc import Mapping
from typing import Any

from agents.catalogue import catalogue
from history.core.facts import Note, Rule, note

NAMES = {"temperature": "temperature", "output_limit": "max_tokens"}


def not_taken(agent: Mapping[str, Any]) -> tuple[Note, ...]:
    """Note each parameter of the agent that will not be sent, since its model doesn't take it."""
    given = {name: agent[ours] for ours, name in NAMES.items() if agent.get(ours) is not None}
    model = agent["model"]
    return tuple(
        note(Rule.NOT_TAKEN, name=name, value=given[name], model=model)
        for name in catalogue().not_taken(model, given)
    )

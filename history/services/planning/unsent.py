"""What is known of a request's parameters before it goes."""

from collections.abc import Iterator, Mapping
from typing import Any

from agents.catalogue import catalogue
from history.core.facts import Note, Rule, note
from history.core.settings.resolved import Settings
from history.services.planning.abilities import asked_effort, effort_of, why_no_effort

NAMES = {"temperature": "temperature", "output_limit": "max_tokens"}
EFFORT = "reasoning_effort"


def not_taken(agent: Mapping[str, Any], settings: Settings) -> tuple[Note, ...]:
    """Note each parameter that will not be sent, since the agent's model doesn't take it."""
    model = str(agent["model"])
    asked = {name: agent.get(ours) for ours, name in NAMES.items()}
    asked |= {EFFORT: effort_of(settings, model)}
    given = {name: value for name, value in asked.items() if value is not None}
    dropped = (
        note(Rule.NOT_TAKEN, name=name, value=given[name], model=model)
        for name in catalogue().not_taken(model, given)
    )
    return (*dropped, *_no_effort(settings, model))


def _no_effort(settings: Settings, model: str) -> Iterator[Note]:
    effort = asked_effort(settings)
    if effort and (why := why_no_effort(settings, model)):
        yield note(why, name=EFFORT, value=effort, model=model)

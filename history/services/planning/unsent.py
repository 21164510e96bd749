"""Notes on the parameters that a request will not contain."""

from collections.abc import Iterator, Mapping
from typing import Any

from agents.catalogue import catalogue
from agents.effective import Output, asked_effort
from agents.models import AgentTemplate
from history.core.settings.output import EFFORT
from history.core.settings.resolved import Settings
from history.core.words.facts import Note, Rule, note
from history.services.planning.abilities import why_no_effort
from history.services.planning.output import asked_of


def not_taken(output: Output, temperature: float | None, settings: Settings) -> tuple[Note, ...]:
    """Note each parameter that will not be sent, since the agent's model doesn't take it."""
    model, demand = output.model, asked_of(output, settings)
    values = {"temperature": temperature, "max_tokens": demand.max_tokens, EFFORT: demand.effort}
    parameters = {name: value for name, value in values.items() if value is not None}
    dropped = (
        note(Rule.NOT_TAKEN, name=name, value=parameters[name], model=model)
        for name in catalogue().not_taken(model, parameters)
    )
    unsent = *_no_effort(settings, model), *_while_thinking(parameters, model)
    return (*dropped, *unsent, *demand.notes)


def unsent_next(template: AgentTemplate, model: str, settings: Settings) -> tuple[Note, ...]:
    """Note the parameters that a message sent now would go without; `model` is the chat's, empty
    for the agent's.
    """
    return not_taken(Output.of(template, model), template.temperature, settings)


def _while_thinking(parameters: Mapping[str, Any], model: str) -> Iterator[Note]:
    """Note a temperature that a request leaves out because its model is to think."""
    taking = catalogue().taking_of(model, parameters.get(EFFORT))
    if "temperature" in parameters and taking.thinks and taking.only_thinking:
        value = parameters["temperature"]
        yield note(Rule.NOT_WHILE_THINKING, name="temperature", value=value, model=model)


def _no_effort(settings: Settings, model: str) -> Iterator[Note]:
    effort = asked_effort(settings)
    if effort and (why := why_no_effort(settings, model)):
        yield note(why, name=EFFORT, value=effort, model=model)

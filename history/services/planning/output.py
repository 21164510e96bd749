"""What a request asks of its answer: how long it may be, and the reasoning effort."""

from dataclasses import dataclass, replace

from agents.effective import Output
from history.core.settings.output import (
    EFFORT,
    LIMIT,
    RESERVE,
    OutputRules,
    asked_for,
    leaves_no_answer,
    with_reserve,
)
from history.core.settings.resolved import Settings
from history.core.words.facts import Note, Rule, note, warning
from history.services.planning.abilities import effort_of


@dataclass(frozen=True, slots=True)
class OutputRequest:
    """The effort and the tokens to ask for; None leaves a value to the provider. `settings` are
    those with an output reserve that fits. `notes` say which settings are not sent, because the
    provider would refuse them.
    """

    settings: Settings
    effort: str | None
    max_tokens: int | None
    notes: tuple[Note, ...] = ()


def asked_of(output: Output, settings: Settings) -> OutputRequest:
    """Return what to ask for. The effort is left out, with a note, if the model would refuse it or
    if thinking would leave no tokens for the answer.
    """
    effort = effort_of(settings, output.model)
    demand, rules = _with_effort(output, settings, effort)
    if not (why := _why_no_thinking(demand, output, rules)):
        return demand
    without, _ = _with_effort(output, settings, None)
    return replace(without, notes=(why, *without.notes))


def _why_no_thinking(demand: OutputRequest, output: Output, rules: OutputRules) -> Note | None:
    names = {"name": EFFORT, "value": demand.effort, "model": output.model}
    if rules.refused:
        return note(Rule.NOT_TAKEN, **names)
    if not leaves_no_answer(demand.max_tokens, rules):
        return None
    bound = LIMIT if demand.max_tokens == output.limit else RESERVE
    figures = {"budget": rules.budget, "bound": bound, "asked": demand.max_tokens}
    return warning(Rule.NO_ROOM_TO_THINK, **names, **figures)


def _with_effort(
    output: Output, settings: Settings, effort: str | None
) -> tuple[OutputRequest, OutputRules]:
    rules = output.rules(effort)
    reserving = with_reserve(settings, rules, output.limit)
    tokens = asked_for(reserving, rules, output.limit)
    notes = _lowered(tokens, output, rules)
    return OutputRequest(reserving, effort, tokens, notes), rules


def _lowered(tokens: int | None, output: Output, rules: OutputRules) -> tuple[Note, ...]:
    if tokens is None or output.limit is None or tokens == output.limit:
        return ()
    bound = output.model if tokens == rules.most else RESERVE
    return (warning(Rule.LIMIT_LOWERED, asked=tokens, limit=output.limit, bound=bound),)

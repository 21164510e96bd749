"""Word what a plan says about the request as a whole."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from history.core.facts import Note, Rule
from history.core.wording import messages, number, places, plural, turns

WHY_OVER = {
    "protected": "the newest turns are protected by min_history_turns",
    "current": "the current turn is always sent",
    "running": "no window moves inside a running answer",
}


@dataclass(frozen=True, slots=True)
class WordedNote:
    sentence: str
    is_warning: bool


def worded(notes: Iterable[Note]) -> tuple[WordedNote, ...]:
    return tuple(WordedNote(sentence_of(note), note.is_warning) for note in notes)


def sentences(notes: Iterable[Note]) -> tuple[str, ...]:
    return tuple(map(sentence_of, notes))


def sentence_of(note: Note) -> str:
    return NOTES[note.fact.rule](**note.fact.figures)


def _summary_not_past(checkpoint: int, first: int, last: int) -> str:
    return (
        f"checkpoint {checkpoint} is not used: it stands for {messages(first, last)}, "
        "which are not all before the current turn"
    )


def _too_many_pins(positions: Sequence[int], most: int) -> str:
    return f"{_pins(positions)} no effect: more than {most} pins"


def _pins_too_large(positions: Sequence[int]) -> str:
    return f"{_pins(positions)} no effect: pins over a quarter of the history's budget"


def _pins(positions: Sequence[int]) -> str:
    where = places(range(place, place + 1) for place in positions)
    if len(positions) == 1:
        return f"the pin of message {where} has"
    return f"the pins of messages {where} have"


def _summary_is_due(*, waits: bool) -> str:
    later = "a summary waits for more messages, since one failed or was taken back"
    return f"over budget: {later if waits else 'a summary is due'}"


def _over_budget(tokens: int, budget: int, why: str) -> str:
    return (
        f"{number(tokens)} tokens are kept though the budget is {number(budget)}: {WHY_OVER[why]}"
    )


def _within_budget(tokens: int, budget: int) -> str:
    return f"within budget: {number(tokens)} of {number(budget)} tokens"


def _turns_exposed(least: int, kept: Sequence[int]) -> str:
    room = f"{turns(*kept)} only" if kept else "none of them"
    return f"min_history_turns {least} cannot be kept: the context window has room for {room}"


def _lost(count: int, runs: Sequence[Mapping[str, Any]]) -> str:
    """List the lost messages, counted from 1, by the setting that leaves them out."""
    are = plural(count, "message is", "messages are")
    found = (f"{_runs(run['places'])} by {run['setting']}" for run in runs)
    return f"{are} neither sent nor summarised: {'; '.join(found)}"


def _runs(ends: Iterable[Sequence[int]]) -> str:
    return places(range(first, last + 1) for first, last in ends)


def _answerer_gone(network: str, slug: str, agent: str) -> str:
    gone = f"network {network}: {slug} answered last and is no member any more"
    return f"{gone}, so {agent} answers."


def _server_unknown(slug: str) -> str:
    return f"MCP server {slug}: its tools are left out, since there is none of that name."


def _server_left_out(name: str, why: str) -> str:
    return f"MCP server {name}: its tools are left out, since {why}."


def _too_many_tools(count: int, most: int) -> str:
    return f"MCP servers: of their {number(count)} tools the first {most} are offered."


NOTES: Mapping[Rule, Callable[..., str]] = {
    Rule.TOLD: lambda sentence: sentence,
    Rule.LENGTH_ACTS_AS_ONE: lambda: "lastN: length 0 acts as 1",
    Rule.SUMMARY_NOT_PAST: _summary_not_past,
    Rule.PINS_UNDER_NONE: lambda: "pins have no effect: the environment sets policy none",
    Rule.TOO_MANY_PINS: _too_many_pins,
    Rule.PINS_TOO_LARGE: _pins_too_large,
    Rule.SUMMARY_IS_DUE: _summary_is_due,
    Rule.OVER_BUDGET: _over_budget,
    Rule.WITHIN_BUDGET: _within_budget,
    Rule.TURNS_EXPOSED: _turns_exposed,
    Rule.LOST: _lost,
    Rule.CONTEXT_LEFT_OUT: lambda label, why: f"{label}: left out, since {why}",
    Rule.CONTEXT_LEFT_OUT_BEFORE: lambda label: f"{label}: left out, as in the first request",
    Rule.AGENT_UNKNOWN: lambda slug: f"{slug}: left out, since there is no such agent.",
    Rule.AGENTS_TOO_DEEP: (
        lambda: "agents to ask: left out, since a task is handed on no further than this."
    ),
    Rule.ANSWERER_GONE: _answerer_gone,
    Rule.SERVER_UNKNOWN: _server_unknown,
    Rule.SERVER_LEFT_OUT: _server_left_out,
    Rule.TOO_MANY_TOOLS: _too_many_tools,
    Rule.UNLEARNT: (
        lambda: "no database is at hand, so tokens are counted without what providers have reported"
    ),
}

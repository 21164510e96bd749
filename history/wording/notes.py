"""Sentences for the notes of a plan, which are about the request as a whole."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from history.core.words.facts import Note, Rule
from history.core.words.wording import number
from history.wording.faults import fill_later
from history.wording.names import (
    capitalised,
    injected_text,
    label_of,
    messages,
    naming,
    places,
    quoted,
    turns,
)
from history.wording.parts import prompt_waits
from history.wording.streams import STREAM_NOTES

PROTECTED = "min_history_turns"
WHY_OVER = {
    "protected": gettext_lazy("History is {over} because {setting} keeps the newest turns."),
    "current": gettext_lazy("History is {over} because the current turn is always sent."),
    "running": gettext_lazy(
        "History is {over} because the window doesn't move while an answer is being written."
    ),
}
OVER = gettext_lazy("over budget ({tokens} of {budget} tokens)")
NOTHING_LEFT = gettext_lazy(
    "sent ({tokens} tokens), although the prompt, the tools and the answer take up the budget,"
)
WHY_LEFT_OUT = {
    "busy": gettext_lazy("too many context functions are still busy with earlier turns"),
    "gone": gettext_lazy("its function no longer exists"),
    "exited": gettext_lazy("its function tried to exit"),
    "failed": gettext_lazy("its function failed ({error})"),
    "slow": gettext_lazy("its function took longer than {seconds:g} seconds"),
    "no_text": gettext_lazy("its function returned {kind}, not text"),
    "too_long": gettext_lazy("its function returned {size:,} characters; the limit is {most:,}"),
    "disabled": gettext_lazy("it is disabled"),
    "signed_in": gettext_lazy("it is for signed-in users only"),
    "staff": gettext_lazy("it is for staff only"),
    "silent": gettext_lazy("it isn't responding: {said}"),
    "empty": gettext_lazy("it has none"),
    "waiting": gettext_lazy("it has not answered yet"),
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
    return _(
        "Summary {number} isn't used because it covers {messages}, not all "
        "of which come before the current turn."
    ).format(number=checkpoint, messages=messages(first, last))


def _too_many_pins(positions: Sequence[int], most: int) -> str:
    return ngettext(
        "The pin on message {places} has no effect because there are more than {most} pins.",
        "The pins on messages {places} have no effect because there are more than {most} pins.",
        len(positions),
    ).format(places=_places(positions), most=most)


def _pins_too_large(positions: Sequence[int]) -> str:
    return ngettext(
        "The pin on message {places} has no effect because pins would take more than a quarter of "
        "the history's budget.",
        "The pins on messages {places} have no effect because pins would take more than a quarter "
        "of the history's budget.",
        len(positions),
    ).format(places=_places(positions))


def _places(positions: Sequence[int]) -> str:
    return places(range(place, place + 1) for place in positions)


def _summary_is_due(*, waits: bool) -> str:
    if waits:
        return _(
            "History is over budget. The next summary waits for more messages because one failed "
            "or was undone."
        )
    return _("History is over budget: a summary is due.")


def _over_budget(tokens: int, budget: int, why: str) -> str:
    text = OVER if budget > 0 else NOTHING_LEFT
    over = text.format(tokens=number(tokens), budget=number(budget))
    return WHY_OVER[why].format(over=over, setting=quoted(PROTECTED))


def _turns_exposed(least: int, kept: Sequence[int]) -> str:
    if not kept:
        return _(
            "{setting}: {least}, but the context window has no room for any of these turns."
        ).format(setting=label_of(PROTECTED), least=least)
    return _("{setting}: {least}, but the context window only has room for {turns}.").format(
        setting=label_of(PROTECTED), least=least, turns=turns(*kept)
    )


def _lost(count: int, runs: Sequence[Mapping[str, Any]]) -> str:
    """Name the messages by their numbers from 1; each run has the setting that leaves it out."""
    names = (f"{_runs(run['places'])} ({quoted(run['setting'])})" for run in runs)
    return ngettext(
        "{count} message is neither sent nor summarised: {places}.",
        "{count} messages are neither sent nor summarised: {places}.",
        count,
    ).format(count=number(count), places="; ".join(names))


def _runs(ends: Iterable[Sequence[int]]) -> str:
    return places(range(first, last + 1) for first, last in ends)


def _context_left_out(label: str, why: str, **figures: Any) -> str:
    because = _because(why, figures)
    sentence = _("{label} was left out because {why}.").format(
        label=injected_text(label), why=because
    )
    return capitalised(sentence)


def _context_left_out_before(label: str) -> str:
    sentence = _("{label} was left out, as in the first request.")
    return capitalised(sentence.format(label=injected_text(label)))


def _server_left_out(name: str, why: str, **figures: Any) -> str:
    return _("The tools of MCP server {name} were left out because {why}.").format(
        name=name, why=_because(why, figures)
    )


def _because(why: str, figures: Mapping[str, Any]) -> str:
    return WHY_LEFT_OUT[why].format(**figures)


NOTES: Mapping[Rule, Callable[..., str]] = {
    **STREAM_NOTES,
    Rule.LENGTH_ACTS_AS_ONE: fill_later(gettext_lazy("History length 0 sends one turn, like 1.")),
    Rule.SUMMARY_NOT_PAST: _summary_not_past,
    Rule.PINS_UNDER_NONE: fill_later(
        gettext_lazy("Pins have no effect because the server sets History policy to none.")
    ),
    Rule.TOO_MANY_PINS: _too_many_pins,
    Rule.PINS_TOO_LARGE: _pins_too_large,
    Rule.SUMMARY_IS_DUE: _summary_is_due,
    Rule.OVER_BUDGET: _over_budget,
    Rule.WITHIN_BUDGET: fill_later(
        gettext_lazy("History uses {tokens} of its {budget}-token budget.")
    ),
    Rule.TURNS_EXPOSED: _turns_exposed,
    Rule.LOST: _lost,
    Rule.PROMPT_WAITS: prompt_waits,
    Rule.CONTEXT_LEFT_OUT: _context_left_out,
    Rule.CONTEXT_LEFT_OUT_BEFORE: _context_left_out_before,
    Rule.AGENT_UNKNOWN: fill_later(
        gettext_lazy("{slug} was left out because no agent has this name.")
    ),
    Rule.AGENTS_TOO_DEEP: fill_later(
        gettext_lazy("This agent can't delegate because its task can't be passed on any further.")
    ),
    Rule.ANSWERER_GONE: fill_later(
        gettext_lazy(
            "Network {network}: {slug} answered last but is no longer a member, so {agent} answers."
        )
    ),
    Rule.SERVER_UNKNOWN: fill_later(
        gettext_lazy("The tools of {slug} were left out because no MCP server has this name.")
    ),
    Rule.SERVER_LEFT_OUT: _server_left_out,
    Rule.TOO_MANY_TOOLS: fill_later(
        gettext_lazy("MCP servers offer {count} tools. Only the first {most} are available.")
    ),
    Rule.NOT_TAKEN: naming(
        gettext_lazy("{name} {value} is not sent because {model} doesn't take it.")
    ),
    Rule.NOT_WHILE_THINKING: naming(
        gettext_lazy(
            "{name} {value} is not sent while {model} thinks, because it only accepts 1 then."
        )
    ),
    Rule.THINKING_OFF: fill_later(
        gettext_lazy(
            "Thinking is off: Reasoning effort {effort} is not sent because this tool loop "
            "doesn't begin with the model's own reasoning."
        )
    ),
    Rule.THINKING_UNKNOWN: naming(
        gettext_lazy(
            "{name} {value} is not sent because nobody knows whether {model} can think, and its "
            "server refuses the request if it can't. Say so under “Known models”."
        )
    ),
    Rule.NO_ROOM_TO_THINK: naming(
        gettext_lazy(
            "{name} {value} is not sent because {model} may use {budget} tokens for thinking, "
            "which leaves no room for an answer within {bound} {asked}. Lower {name}, or raise "
            "{bound} above {budget}."
        )
    ),
    Rule.LIMIT_LOWERED: naming(
        gettext_lazy(
            "The answer is limited to {asked} tokens instead of {limit}, the agent's output limit, "
            "because {bound} allows no more."
        )
    ),
    Rule.MODEL_CHOSEN: fill_later(
        gettext_lazy("Model {model}: chosen in this chat. The agent's own is {own}.")
    ),
    Rule.MODEL_TRIED: fill_later(
        gettext_lazy("Model {model}: asked for in a what-if. The agent's own is {own}.")
    ),
    Rule.MODEL_NOT_ALLOWED: fill_later(
        gettext_lazy(
            "Model {own}: the agent's own. {model} was chosen in this chat, but this agent may "
            "not use it."
        )
    ),
    Rule.UNLEARNT: fill_later(
        gettext_lazy("Tokens are estimated: without a database no provider's figures are known.")
    ),
}

"""Clauses on where two requests first differ, to follow `because` or `but`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from history.core.plan.verdict import Verdict
from history.core.settings.resolved import Settings
from history.core.settings.spec import shown_value
from history.core.words.facts import Fact, Rule
from history.core.words.wording import number, place
from history.wording.deciding.sources import source_name
from history.wording.names import injected_text, quoted

SETTING = "setting"

BECAME = {
    Verdict.KEPT: gettext_lazy("message {number} is sent in full again"),
    Verdict.ALTERED: gettext_lazy("message {number} was altered"),
    Verdict.PLACEHOLDER: gettext_lazy("message {number} became a placeholder"),
}
MOVED = {
    "turn": gettext_lazy("the window's start moved from turn {was} to turn {now}"),
    "message": gettext_lazy("the window's start moved from message {was} to message {now}"),
}


def difference_of(fact: Fact | None) -> str:
    """Word a difference as a clause; empty if there is none."""
    return DIFFERENCES[fact.rule](**fact.figures) if fact else ""


def unbound(change: Fact, settings: Settings) -> str:
    """Say why bound reasoning is left out: what first changed before it and, if `change` names a
    setting, that this setting decides about it now.
    """
    return _(
        "not sent: the model accepts it only if nothing before it has changed since it was "
        "written, but {change}"
    ).format(change=_decided(change, settings))


def unbound_messages(changes: Sequence[Fact], settings: Settings) -> str:
    """Say of how many messages bound reasoning is left out, and what changed before the newest for
    which that is known.

    `changes` has one for each message; an answer with tools has several messages.
    """
    explained = [change for change in changes if change.rule is not Rule.PREFIX_CHANGED]
    newest = (explained or changes)[-1]
    sentence = ngettext(
        "The reasoning of {count} earlier message is not sent again, because {change}.",
        "The reasoning of {count} earlier messages is not sent again, because {change}.",
        len(changes),
    ).format(count=number(len(changes)), change=_decided(newest, settings))
    if all(change == newest for change in explained):
        return sentence
    return _("{sentence} Some of it has other reasons.").format(sentence=sentence)


def _decided(change: Fact, settings: Settings) -> str:
    clause, name = difference_of(change.without(SETTING)), str(change.figures.get(SETTING, ""))
    if name not in settings:
        return clause
    winner = settings[name].winner
    return _("{change} ({setting} is {value}, from {source})").format(
        change=clause,
        setting=quoted(name),
        value=shown_value(winner.value),
        source=source_name(winner),
    )


def _text(sentence: Any) -> Callable[..., str]:
    return lambda label: str(sentence.format(text=injected_text(label)))


def _message(sentence: Any) -> Callable[..., str]:
    return lambda position: str(sentence.format(number=place(position)))


def _became(position: int, verdict: str) -> str:
    return BECAME[Verdict(verdict)].format(number=place(position))


def _moved(by: str, was: int, now: int) -> str:
    return MOVED[by].format(was=number(was), now=number(now))


DIFFERENCES: Mapping[Rule, Callable[..., str]] = {
    Rule.TEXT_CHANGED: _text(gettext_lazy("{text} changed")),
    Rule.TEXT_MOVED: _text(gettext_lazy("{text} moved")),
    Rule.TEXT_ADDED: _text(gettext_lazy("{text} was added")),
    Rule.TEXT_REMOVED: _text(gettext_lazy("{text} was removed")),
    Rule.MESSAGE_BECAME: _became,
    Rule.MESSAGE_GONE: _message(gettext_lazy("message {number} is no longer sent")),
    Rule.MESSAGE_NEW: _message(gettext_lazy("message {number} is now sent too")),
    Rule.REASONING_LEFT: _message(
        gettext_lazy("the reasoning of message {number} is not sent again")
    ),
    Rule.REASONING_AGAIN: _message(gettext_lazy("the reasoning of message {number} is sent again")),
    Rule.PARTS_CHANGED: _message(gettext_lazy("message {number} is sent with other parts")),
    Rule.WINDOW_MOVED: _moved,
    Rule.CACHE_EXPIRED: lambda: _("the cache had expired"),
    Rule.PREFIX_CHANGED: lambda: _("something before it changed"),
}

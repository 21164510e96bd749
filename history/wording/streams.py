"""Sentences on faults in a streamed answer: what was lost, or kept in altered form."""

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from history.core.words.facts import Rule
from history.core.words.wording import number

LOST = {
    "text": gettext_lazy(
        "The provider sent {said} characters of text, but {kept} were kept. The error was logged."
    ),
    "reasoning": gettext_lazy(
        "The provider sent {said} characters of reasoning, but {kept} were kept. The error was "
        "logged."
    ),
    "arguments": gettext_lazy(
        "The provider sent {said} characters of a tool's arguments, but {kept} were kept. The "
        "error was logged."
    ),
}


def _lost(kind: str, said: int, kept: int) -> str:
    return LOST[kind].format(said=number(said), kept=number(kept))


def _broken(count: int) -> str:
    return ngettext(
        "{count} event of the provider's stream could not be read.",
        "{count} events of the provider's stream could not be read.",
        count,
    ).format(count=number(count))


def _replaced(count: int) -> str:
    return ngettext(
        "{count} character of the answer can't be stored and was replaced.",
        "{count} characters of the answer can't be stored and were replaced.",
        count,
    ).format(count=number(count))


def _unread(names: Sequence[str]) -> str:
    sentence = _("The provider also sent what Vitrine doesn't keep: {names}.")
    return sentence.format(names=", ".join(names))


WHY = {
    "model_binding_mismatch": gettext_lazy("another model wrote it"),
    "prefix_binding_mismatch": gettext_lazy("something before it had changed"),
}
ACCEPTED = "thinking_mismatch_allowed"


def _transformed(kind: str, reason: str, count: int) -> str:
    """Say what the provider did with reasoning that was sent; name its kind and the reason."""
    done = (
        ngettext(
            "The provider accepted {count} block of reasoning against its rule, because {why}. "
            "The plan did not expect this.",
            "The provider accepted {count} blocks of reasoning against its rule, because {why}. "
            "The plan did not expect this.",
            count,
        )
        if kind == ACCEPTED
        else ngettext(
            "The provider left out {count} block of reasoning that was sent, because {why}. "
            "The plan did not expect this.",
            "The provider left out {count} blocks of reasoning that were sent, because {why}. "
            "The plan did not expect this.",
            count,
        )
    )
    why = WHY.get(reason) or _("it says {reason}").format(reason=reason or kind)
    return done.format(count=number(count), why=why)


STREAM_NOTES: Mapping[Rule, Callable[..., str]] = {
    Rule.STREAM_LOST: _lost,
    Rule.STREAM_BROKEN: _broken,
    Rule.STREAM_REPLACED: _replaced,
    Rule.STREAM_UNREAD: _unread,
    Rule.STREAM_TRANSFORMED: _transformed,
}

"""Sentences on what a request left out of the conversation, and on who decided that."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from history.core.plan.verdict import PIN, PRESERVE, Verdict
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.core.words.wording import number
from history.wording.remembering import decided_by, is_limited

SENT_ANYWAY: Mapping[str, Any] = {
    PIN: ngettext_lazy(
        "{count} pinned message is sent anyway", "{count} pinned messages are sent anyway"
    ),
    PRESERVE: ngettext_lazy(
        "{count} system message is sent anyway", "{count} system messages are sent anyway"
    ),
}
OTHERS: Mapping[Verdict, Any] = {
    Verdict.EXCLUDED: ngettext_lazy(
        "{count} message is left out by hand", "{count} messages are left out by hand"
    ),
    Verdict.TRIMMED: ngettext_lazy("{count} message is left out", "{count} messages are left out"),
    Verdict.SUMMARISED: ngettext_lazy(
        "{count} message is left out, but summarised",
        "{count} messages are left out, but summarised",
    ),
    Verdict.FILTERED: ngettext_lazy(
        "{count} message is left out by a processor", "{count} messages are left out by a processor"
    ),
    Verdict.REPAIRED: ngettext_lazy(
        "{count} broken message is left out", "{count} broken messages are left out"
    ),
    Verdict.PLACEHOLDER: ngettext_lazy(
        "{count} message is replaced by a placeholder",
        "{count} messages are replaced by placeholders",
    ),
    Verdict.ALTERED: ngettext_lazy(
        "{count} message is shortened or changed", "{count} messages are shortened or changed"
    ),
}
SENDS: Mapping[LayerName, Any] = {
    LayerName.ENVIRONMENT: gettext_lazy("the server sends {turns}"),
    LayerName.WHAT_IF: gettext_lazy("the what-if sends {turns}"),
    LayerName.URL: gettext_lazy("the address asks for {turns}"),
    LayerName.CONVERSATION: gettext_lazy("this chat sends {turns}"),
    LayerName.TEMPLATE: gettext_lazy("the agent sends {turns}"),
    LayerName.SITE: gettext_lazy("every agent sends {turns}"),
    LayerName.BUILT_IN: gettext_lazy("by default an agent sends {turns}"),
}
PARTS: Mapping[str, Any] = {
    "image": ngettext_lazy("{count} image is left out", "{count} images are left out"),
    "file": ngettext_lazy("{count} file is left out", "{count} files are left out"),
}


def left_out(count: int, reasons: Sequence[str]) -> str:
    return ngettext(
        "{count} earlier message is left out ({reasons}).",
        "{count} earlier messages are left out ({reasons}).",
        count,
    ).format(count=number(count), reasons=_(" and ").join(reasons))


def turns(count: int, least: int = 0, most: int = 0) -> str:
    """Name the turns that the policy sends; a `count` of 0 means only the current turn.

    A window that moves in steps contains `least` to `most` turns.
    """
    if not count:
        return _("only the current turn")
    if least < most:
        return _("the last {least} to {most} turns, here {count}").format(
            least=number(least), most=number(most), count=number(count)
        )
    return ngettext("the last turn", "the last {count} turns", count).format(count=number(count))


def sent_by(settings: Settings, turns: str) -> str:
    """Say who decided that these turns are sent."""
    if is_limited(settings):
        return _("the server allows {turns}").format(turns=turns)
    text: str = SENDS[decided_by(settings)].format(turns=turns)
    return text


def summarised(count: int) -> str:
    return left_out(count, [_("summarised")])


def sent_anyway(rule: str, count: int) -> str:
    return _counted(SENT_ANYWAY[rule], count)


def other(verdict: Verdict, count: int) -> str:
    return _counted(OTHERS[verdict], count)


def filtered(count: int, what: str, *, are_transfers: bool) -> str:
    """Say what a filter removed; `what` are the calls, each with its result, if they are known."""
    if are_transfers:
        return ngettext(
            "{count} hand-over message between agents is left out of this agent's view",
            "{count} hand-over messages between agents are left out of this agent's view",
            count,
        ).format(count=number(count))
    text = ngettext(
        "{count} message is left out of this agent's view",
        "{count} messages are left out of this agent's view",
        count,
    ).format(count=number(count))
    return _("{text} ({calls})").format(text=text, calls=what) if what else text


def parts_left_out(kind: str, count: int) -> str:
    return _counted(PARTS[kind], count)


def line(sentences: Sequence[str], clauses: Sequence[str]) -> str:
    """Join the sentences on one line, with the clauses as one more sentence."""
    rest = [_("{clauses}.").format(clauses="; ".join(clauses))] if clauses else []
    return " ".join([*sentences, *rest])


def _counted(forms: Any, count: int) -> str:
    form: str = forms % count
    return form.format(count=number(count))

"""Words for the messages that a request left out: their sum, and the parts of it.

The sum counts every message that was not sent, whatever left it out.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from history.core.plan.verdict import Verdict
from history.core.words.wording import number
from history.wording.headline import joined

PARTS: Mapping[Verdict, Any] = {
    Verdict.SUMMARISED: gettext_lazy("{count} summarised"),
    Verdict.TRIMMED: gettext_lazy("{count} by the settings"),
    Verdict.FILTERED: gettext_lazy("{count} by a processor"),
    Verdict.EXCLUDED: gettext_lazy("{count} by hand"),
    Verdict.REPAIRED: gettext_lazy("{count} broken"),
}


def part(verdict: Verdict, count: str) -> str:
    """Word a part of the sum."""
    return str(PARTS[verdict]).format(count=count)


def filtered_part(count: str, what: str, *, are_transfers: bool) -> str:
    """Word the part that filters removed; `what` are the calls, if they are known."""
    if are_transfers:
        return _("{count} in hand-overs between agents").format(count=count)
    text = _("{count} from this agent's view").format(count=count)
    return _("{text} ({calls})").format(text=text, calls=what) if what else text


def earlier_part(count: str, reasons: Sequence[str]) -> str:
    return _("{count} earlier ({reasons})").format(count=count, reasons=_(" and ").join(reasons))


def of_them(count: int) -> str:
    return _("one of them") if count == 1 else _("{count} of them").format(count=number(count))


def were_left_out(count: int, parts: Sequence[str]) -> str:
    """Word the sum in a headline, with parts of it: `9 messages were left out, 2 of them by
    hand`.
    """
    text = ngettext("{count} message was left out", "{count} messages were left out", count)
    text = text.format(count=number(count))
    return _("{text}, {parts}").format(text=text, parts=joined(parts)) if parts else text


def are_left_out(count: int, parts: Sequence[str]) -> str:
    """Word the sum above the first message that is sent, with all of its parts."""
    return ngettext(
        "{count} message is left out: {parts}.", "{count} messages are left out: {parts}.", count
    ).format(count=number(count), parts=joined(parts))

"""Say what the model sees of the transcript, and in a sentence each what was left out of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from history.core.plan.verdict import Verdict
from history.core.wording import number

CHANGED: Mapping[Verdict, Any] = {
    Verdict.ALTERED: ngettext_lazy(
        "{count} message was altered.", "{count} messages were altered."
    ),
    Verdict.PLACEHOLDER: ngettext_lazy(
        "{count} message was replaced by a placeholder.",
        "{count} messages were replaced by placeholders.",
    ),
    Verdict.TRIMMED: ngettext_lazy(
        "{count} message was left out.", "{count} messages were left out."
    ),
    Verdict.FILTERED: ngettext_lazy(
        "{count} message was filtered out.", "{count} messages were filtered out."
    ),
    Verdict.SUMMARISED: ngettext_lazy(
        "{count} message was summarised.", "{count} messages were summarised."
    ),
    Verdict.EXCLUDED: ngettext_lazy(
        "{count} message was excluded.", "{count} messages were excluded."
    ),
    Verdict.REPAIRED: ngettext_lazy(
        "{count} message was repaired.", "{count} messages were repaired."
    ),
}

PARTS: Mapping[str, Any] = {
    "image": ngettext_lazy("{count} image was left out", "{count} images were left out"),
    "file": ngettext_lazy("{count} file was left out", "{count} files were left out"),
}


def seen(policy: str, first: int, last: int) -> str:
    if policy == "none":
        return _("The model only sees the current turn.")
    if first == last:
        return _("The model only sees the last turn ({turn}).").format(turn=number(last))
    return _("The model sees the last {count} turns ({first}\N{EN DASH}{last}).").format(
        count=number(last - first + 1), first=number(first), last=number(last)
    )


def left_out(count: int, reasons: Sequence[str]) -> str:
    if not reasons:
        return ngettext(
            "{count} earlier message was left out.",
            "{count} earlier messages were left out.",
            count,
        ).format(count=number(count))
    return ngettext(
        "{count} earlier message was left out ({reasons}).",
        "{count} earlier messages were left out ({reasons}).",
        count,
    ).format(count=number(count), reasons=_(" and ").join(reasons))


def summarised(count: int) -> str:
    return ngettext(
        "{count} earlier message was summarised.",
        "{count} earlier messages were summarised.",
        count,
    ).format(count=number(count))


def still_sent(count: int) -> str:
    return ngettext(
        "{count} of the earlier messages is still sent.",
        "{count} of the earlier messages are still sent.",
        count,
    ).format(count=number(count))


def parts_left_out(kind: str, count: int, keep: int | None) -> str:
    """`keep` is the value of the setting that did it, if one did."""
    sentence: str = PARTS[kind] % count
    said = sentence.format(count=number(count))
    return f"{said} ({kind}s_keep {number(keep)})." if keep else f"{said}."


def changed(verdict: Verdict, count: int) -> str:
    sentence: str = CHANGED[verdict] % count
    return sentence.format(count=number(count))

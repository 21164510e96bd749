"""Compare two requests for the panel: runs of messages that differ, with their changed lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from chatapp.inspector.raw.redaction import Redaction
from chatapp.inspector.raw.request import SentRow, rebuild, sent_row
from history.core.words.wording import number
from history.models import ContextPlan
from history.services.explain.cost.previous import request_before
from history.services.explain.raw.difference import (
    ChangeKind,
    ChangeStretch,
    MessageChange,
    difference,
)
from history.services.explain.raw.wire import HIDDEN
from history.services.summaries.numbers import SummaryNumbers

MOST = 20  # The most messages of a run that are shown; the others are only counted.
SENTENCES: Mapping[ChangeKind, Any] = {
    ChangeKind.SAME: ngettext_lazy("{count} message unchanged", "{count} messages unchanged"),
    ChangeKind.ADDED: ngettext_lazy("{count} message added", "{count} messages added"),
    ChangeKind.REMOVED: ngettext_lazy("{count} message removed", "{count} messages removed"),
    ChangeKind.CHANGED: ngettext_lazy("{count} message changed", "{count} messages changed"),
}


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A message that differs. Each of its `lines` has a kind (added, removed, place, same); `note`
    says why a changed message has none.
    """

    row: SentRow
    lines: Sequence[tuple[str, str]]
    note: str


@dataclass(frozen=True, slots=True)
class StretchRow:
    kind: ChangeKind
    sentence: str
    rows: list[ChangeRow]
    more: int


def difference_page(record: ContextPlan, redaction: Redaction) -> dict[str, Any] | None:
    """Return the template's context: the request compared with the one before it; None if it is the
    first. Raise `CannotRebuild`.
    """
    before = request_before(record)
    if before is None:
        return None
    before.generation.conversation = record.generation.conversation
    diff = difference(rebuild(before), rebuild(record))
    numbers = SummaryNumbers(before.generation.conversation_id)
    counts = ", ".join(_sentence(kind, n) for kind, n in diff.counts.items() if n)
    sentence = _("Compared with turn {turn}, step {step}: {counts}.")
    frame = [f"{name}: {was!r} \N{RIGHTWARDS ARROW} {now!r}" for name, was, now in diff.parameters]
    return {
        "sentence": sentence.format(
            turn=number(before.generation.turn), step=number(before.step), counts=counts
        ),
        "frame": [*frame, *([_("Tool schemas changed")] if diff.tools else [])],
        "stretches": [_stretch_row(stretch, redaction, numbers) for stretch in diff.stretches],
    }


def _stretch_row(
    stretch: ChangeStretch, redaction: Redaction, numbers: SummaryNumbers
) -> StretchRow:
    count = len(stretch.changes)
    changes = () if stretch.kind is ChangeKind.SAME else stretch.changes[:MOST]
    return StretchRow(
        kind=stretch.kind,
        sentence=_sentence(stretch.kind, count),
        rows=[_change(change, redaction, numbers) for change in changes],
        more=count - len(changes) if changes else 0,
    )


def _sentence(kind: ChangeKind, count: int) -> str:
    sentence: str = SENTENCES[kind] % count
    return sentence.format(count=number(count))


def _change(change: MessageChange, redaction: Redaction, numbers: SummaryNumbers) -> ChangeRow:
    row = sent_row(0, change.sent, redaction, numbers=numbers)
    if change.kind is not ChangeKind.CHANGED:
        return ChangeRow(row, (), "")
    if redaction.hides(change.sent):
        return ChangeRow(row, (), _("Changed: {text}").format(text=HIDDEN))
    lines = change.lines
    if lines is None:
        return ChangeRow(row, (), _("Changed, but too long to compare line by line"))
    return ChangeRow(row, list(_marked(lines)), "")


def _marked(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    kinds = {"+": "added", "-": "removed", "@": "place"}
    return ((kinds.get(line[:1], "same"), line) for line in lines)

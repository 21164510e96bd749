"""Whether a person or the settings asked for the summaries that a request contains."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import Verdict
from history.core.settings.resolved import Settings
from history.core.words.facts import Rule
from history.models import Checkpoint, CheckpointState


@dataclass(frozen=True, slots=True)
class MadeByHand:
    """When a person asked for a summary, and when it was undone, if it was."""

    asked: datetime
    undone: datetime | None


def made_by_hand(plan: Plan) -> Mapping[int, MadeByHand]:
    """Return those of the plan's summaries that a person asked for. One into which such summaries
    were folded counts too.
    """
    numbers = {number for entry in plan.entries if (number := summary_of(entry)) is not None}
    if not numbers:
        return {}
    rows = Checkpoint.objects.filter(Q(manual=True) | Q(parts__manual=True), pk__in=numbers)
    return {row.pk: _made(row) for row in rows.distinct()}


def _made(row: Checkpoint) -> MadeByHand:
    """An undo replaces the time at which the summary was ready, but not that of the request."""
    return MadeByHand(row.created, row.ended if row.state == CheckpointState.UNDONE else None)


def summary_of(entry: Entry) -> int | None:
    """Return the number of the summary that stands for the entry; None if there is none."""
    facts = [fact for fact in entry.reasons if fact.rule is Rule.SUMMARISED]
    return facts[-1].figures["checkpoint"] if facts else None


def decided_by_setting(entry: Entry, settings: Settings, by_hand: Collection[int]) -> str:
    """Return the name of the setting that decided what became of the entry; empty if a person had
    it summarised, or if no setting asks for summaries any more.
    """
    if entry.verdict is not Verdict.SUMMARISED:
        return entry.setting
    if summary_of(entry) in by_hand:
        return ""
    if settings.value("summarize"):
        return entry.setting
    return "pruner" if settings.value("pruner") == "summarize" else ""

"""What a request loses where summaries should stand for it: neither sent nor summarised."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Any

from history.core.facts import Note, Rule, warning
from history.core.plan.plan import PRESERVE, Entry, Verdict
from history.core.settings.resolution import Settings


def wants_summaries(settings: Settings) -> bool:
    """Somebody counts on summaries for what leaves the window."""
    return bool(settings.value("summarize")) or settings.value("pruner") == "summarize"


def loss_notes(history: Sequence[Entry], cutting: Collection[str]) -> tuple[Note, ...]:
    """A note on how many messages and which; none where nothing is lost.

    `cutting` names the processors that leave out by size: what they take is not kept out of
    summaries on purpose, as what other processors take is.
    """
    lost = [entry for entry in history if _is_lost(entry, cutting)]
    if not lost:
        return ()
    count = sum(entry.count for entry in lost)
    return (warning(Rule.LOST, count=count, runs=list(_runs(lost))),)


def _is_lost(entry: Entry, cutting: Collection[str]) -> bool:
    if entry.verdict is Verdict.TRIMMED:
        return entry.rule != PRESERVE
    return entry.verdict is Verdict.FILTERED and entry.rule in cutting


def _runs(lost: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    """First and last positions, for each setting that leaves something out."""
    for setting, run in groupby(lost, lambda entry: entry.setting):
        yield {"setting": setting, "places": [[entry.first, entry.last] for entry in run]}

"""Find what a request loses: messages neither sent nor in a summary that should cover them."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Any

from history.core.facts import Note, Rule, warning
from history.core.plan.plan import PRESERVE, Entry, Verdict
from history.core.settings.resolved import Settings


def wants_summaries(settings: Settings) -> bool:
    """Whether summaries are expected for what leaves the window."""
    return bool(settings.value("summarize")) or settings.value("pruner") == "summarize"


def loss_notes(history: Sequence[Entry], cutting: Collection[str]) -> tuple[Note, ...]:
    """Return a note on which messages are lost and how many; none if nothing is.

    `cutting` names the processors that leave out by size. Summaries should cover what those take;
    what other processors take is left out on purpose.
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
    """Find the first and last positions for each setting that leaves something out."""
    for setting, run in groupby(lost, lambda entry: entry.setting):
        yield {"setting": setting, "places": [[entry.first, entry.last] for entry in run]}

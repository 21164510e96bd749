"""What a request loses where summaries should stand for it: neither sent nor summarised."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from history.core.plan.plan import PRESERVE, Entry, Verdict
from history.core.settings.resolution import Settings
from history.core.wording import places, plural


def wants_summaries(settings: Settings) -> bool:
    """Somebody counts on summaries for what leaves the window."""
    return bool(settings.value("summarize")) or settings.value("pruner") == "summarize"


def loss_notes(history: Sequence[Entry], cutting: Collection[str]) -> tuple[str, ...]:
    """A sentence on how many messages and which, counted from 1; none where nothing is lost.

    `cutting` names the processors that leave out by size: what they take is not kept out of
    summaries on purpose, as what other processors take is.
    """
    lost = [entry for entry in history if _is_lost(entry, cutting)]
    if not lost:
        return ()
    count = sum(entry.count for entry in lost)
    are = plural(count, "message is", "messages are")
    return (f"{are} neither sent nor summarised: {'; '.join(_places(lost))}",)


def _is_lost(entry: Entry, cutting: Collection[str]) -> bool:
    if entry.verdict is Verdict.TRIMMED:
        return entry.rule != PRESERVE
    return entry.verdict is Verdict.FILTERED and entry.rule in cutting


def _places(lost: Sequence[Entry]) -> Iterator[str]:
    """`1 to 12 and 14 by length`, for each setting that leaves something out."""
    for setting, run in groupby(lost, lambda entry: entry.setting):
        yield f"{places(entry.positions for entry in run)} by {setting}"

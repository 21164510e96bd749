"""Decide which messages of a map have rows of their own, and which runs are folded.

The newest messages have rows, as many as there is room for. So the map of 100,000 messages is as
short as that of 200.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import Verdict
from history.services.explain.window import window_start

ROOM = 100  # The most rows, of messages and folded runs, in a new map.
FOLDED = frozenset({Verdict.TRIMMED, Verdict.FILTERED, Verdict.SUMMARISED, Verdict.EXCLUDED})


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive positions: each has a row of its own, or one row contains them all."""

    first: int
    last: int
    is_folded: bool

    @property
    def count(self) -> int:
        return self.last - self.first + 1


def stretches(plan: Plan, room: int = ROOM) -> list[Stretch]:
    """Divide the transcript into stretches, in path order."""
    history = [entry for entry in plan.entries if entry.positions]
    tail: list[Stretch] = []
    while history and room > 0:
        parts = list(_parts(history.pop(), room))
        room -= sum(1 if part.is_folded else part.count for part in parts)
        tail += parts
    return [*_rest(history, window_start(plan)), *reversed(tail)]


def page(first: int, last: int, size: int, *, newest: bool) -> list[Stretch]:
    """Show `size` rows at one end of a folded run; the rest of the run stays folded."""
    if last - first < size:
        return [Stretch(first, last, is_folded=False)]
    if newest:
        cut = last - size + 1
        return [Stretch(first, cut - 1, is_folded=True), Stretch(cut, last, is_folded=False)]
    cut = first + size
    return [Stretch(first, cut - 1, is_folded=False), Stretch(cut, last, is_folded=True)]


def _parts(entry: Entry, room: int) -> Iterator[Stretch]:
    """Yield the stretches of a run, the newest first. As many messages get rows as there is room
    for.
    """
    first, last = entry.positions[0], entry.positions[-1]
    if entry.verdict in FOLDED and entry.count > 1:
        yield Stretch(first, last, is_folded=True)
        return
    start = max(first, last - room + 1)
    yield Stretch(start, last, is_folded=False)
    if start > first:
        yield Stretch(first, start - 1, is_folded=True)


def _rest(older: Sequence[Entry], start: Entry | None) -> Iterator[Stretch]:
    """Fold what there is no room for into at most two runs, so that the start of the window stays
    visible.
    """
    border = start.positions[0] if start else 0
    for run in (
        [entry for entry in older if entry.positions[0] < border],
        [entry for entry in older if entry.positions[0] >= border],
    ):
        if run:
            yield Stretch(run[0].positions[0], run[-1].positions[-1], is_folded=True)

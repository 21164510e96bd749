"""Compare two plans: what each does with the messages of a path."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import Verdict


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A run of messages with other verdicts than before. `entry` is the later plan's entry, which
    gives the reason.
    """

    first: int
    last: int
    was: Verdict
    now: Verdict
    entry: Entry

    @property
    def count(self) -> int:
        return self.last - self.first + 1


def changes(before: Plan, after: Plan) -> tuple[VerdictChange, ...]:
    """Return the changes in messages that both plans contain, in the order of their common path."""
    return tuple(_joined(_changes(_history(before), _history(after))))


def _history(plan: Plan) -> list[Entry]:
    return [entry for entry in plan.entries if entry.positions]


def _changes(before: Sequence[Entry], after: Sequence[Entry]) -> Iterator[VerdictChange]:
    """Read both lists of runs side by side, in time linear in the number of runs."""
    place = 0
    for now in after:
        while place < len(before) and before[place].positions[0] <= now.positions[-1]:
            was = before[place]
            shared = range(
                max(was.positions[0], now.positions[0]), min(was.positions[-1], now.positions[-1])
            )
            if was.verdict is not now.verdict and shared.start <= shared.stop:
                yield VerdictChange(shared.start, shared.stop, was.verdict, now.verdict, now)
            if was.positions[-1] > now.positions[-1]:
                break
            place += 1


def _joined(runs: Iterator[VerdictChange]) -> Iterator[VerdictChange]:
    """Join neighbouring runs that change in the same way."""
    last: VerdictChange | None = None
    for change in runs:
        if last and (last.last + 1, last.was, last.now, last.entry.grounds) == (
            change.first,
            change.was,
            change.now,
            change.entry.grounds,
        ):
            last = VerdictChange(last.first, change.last, last.was, last.now, last.entry)
            continue
        if last:
            yield last
        last = change
    if last:
        yield last

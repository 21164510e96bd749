"""Counts and durations of a round in which everything breaks."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

ORDER = (  # These counts are printed first.
    *("kills", "kills at the start", "cuts", "freezes", "acknowledged", "sent again", "retried"),
    *("stopped by a person", "page loaded again"),
)


@dataclass
class Figures:
    """Counts by name, and lists of seconds by name. Several threads add to them.

    `era` rises with each kill, and again when the killed process answers; `are_up` says that none
    is down.
    """

    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=dict)

    era: int = 0

    @property
    def are_up(self) -> bool:
        return self.era % 2 == 0

    def count(self, name: str, by: int = 1) -> None:
        self.counts[name] += by

    def took(self, name: str, seconds: float) -> None:
        self.seconds.setdefault(name, []).append(seconds)

    def add(self, other: Self) -> None:
        self.counts += other.counts
        for name, seconds in other.seconds.items():
            self.seconds.setdefault(name, []).extend(seconds)

    def lines(self) -> Iterator[str]:
        """Yield the lines to print, one for each figure."""
        names = [*ORDER, *sorted(self.counts.keys() - set(ORDER))]
        yield from (f"{name}: {self.counts[name]:,}" for name in names)
        for name, seconds in sorted(self.seconds.items()):
            middle, late = share(seconds, 50), share(seconds, 95)
            yield f"{name}: p50 {middle:.3f} s, p95 {late:.3f} s (of {len(seconds):,})"


def share(seconds: Sequence[float], percent: int) -> float:
    """Return a percentile of the seconds."""
    ranked = sorted(seconds)
    return ranked[min(len(ranked) - 1, len(ranked) * percent // 100)]

"""One metric. Until metrics are switched on, counting only looks at an attribute."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(eq=False, slots=True)
class Metric:
    """`help` is a sentence for whoever reads the metric. A gauge is read when it is asked for, by
    the functions that `watch` was given.
    """

    kind: Kind
    name: str
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()
    watched: dict[tuple[str, ...], Callable[[], float]] = field(default_factory=dict)
    series: Any = None  # The library's own, while metrics are on.

    @property
    def is_on(self) -> bool:
        return self.series is not None

    def count(self, *labels: str, amount: float = 1) -> None:
        if self.series is not None:
            self._of(labels).inc(amount)

    def observe(self, value: float, *labels: str) -> None:
        if self.series is not None:
            self._of(labels).observe(value)

    def watch(self, read: Callable[[], float], *labels: str) -> None:
        """Have the gauge report what a function returns, which may be called in any thread."""
        self.watched[labels] = read

    def _of(self, labels: tuple[str, ...]) -> Any:
        return self.series.labels(*labels) if labels else self.series


class Bounded:
    """The values of a label, of which there are at most so many: all others are `other`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[str] = set()

    def __call__(self, value: str) -> str:
        if value not in self._known:
            if len(self._known) >= self._most:
                return "other"
            self._known.add(value)
        return value

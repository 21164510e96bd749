"""One metric. While metrics are off, counting only looks at an attribute."""

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
    """A metric. `help` is a sentence for people who read it. To read a gauge, the functions that
    `watch` was given are called.
    """

    kind: Kind
    name: str
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()
    watched: dict[tuple[str, ...], Callable[[], float]] = field(default_factory=dict)
    series: Any = None  # The Prometheus library's object, while metrics are on.

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
        """Let the gauge report what a function returns; any thread may call this function."""
        self.watched[labels] = read

    def _of(self, labels: tuple[str, ...]) -> Any:
        return self.series.labels(*labels) if labels else self.series


class LabelLimit:
    """Limits a label to `most` different values; all further ones are counted as `other`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[str] = set()

    def __call__(self, value: str) -> str:
        if value not in self._known:
            if len(self._known) >= self._most:
                return "other"
            self._known.add(value)
        return value

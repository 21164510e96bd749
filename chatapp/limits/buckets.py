"""Token buckets: what one person or one address may use up, in the memory of this process.

A bucket is one number: the moment at which it will be full again. Taking from it moves that moment
on; a full bucket is no different from none, so it is dropped.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from heapq import nsmallest
from threading import Lock
from typing import Protocol, TypeAlias

MOST_BUCKETS = 50_000
ROUNDING = 1e-6  # Rounding error of sums of floats, in seconds.


@dataclass(frozen=True, slots=True)
class Limit:
    """`most` at once, and as much again in each period of `seconds`. `most` 0: no limit.

    `sentence` tells the person what happened; it may contain `{most}`.
    """

    name: str
    most: int
    seconds: float
    sentence: str

    def time_for(self, amount: float) -> float:
        """Return how long it takes to regain this much."""
        return amount * self.seconds / self.most


Take: TypeAlias = tuple[Limit, str, float]  # The limit, who, and how much.


class Buckets(Protocol):
    """A store of buckets. A call may wait for a server: make it from a thread."""

    def take(self, limit: Limit, who: str, amount: float = 1) -> float:
        """Take the amount and return 0, or take nothing and return the seconds until it is
        available.

        An amount larger than the bucket may be taken from a full one.
        """

    def charge(self, limit: Limit, who: str, amount: float) -> None:
        """Charge for what was already used, even below zero; a negative amount is a refund."""


class MemoryBuckets:
    """Buckets of this process alone. Threads may share it."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, most: int = MOST_BUCKETS
    ) -> None:
        self._clock = clock
        self._most = most
        self._full_at: dict[tuple[str, str], float] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, limit: Limit, who: str, amount: float = 1) -> float:
        if not limit.most:
            return 0
        with self._lock:
            now = self._clock()
            full_at = max(self._full_at.get((limit.name, who), now), now)
            wait = full_at + limit.time_for(min(amount, limit.most)) - now - limit.seconds
            if wait > ROUNDING:
                return wait
            self._keep(limit, who, full_at + limit.time_for(amount))
            return 0

    def charge(self, limit: Limit, who: str, amount: float) -> None:
        if not limit.most:
            return
        with self._lock:
            now = self._clock()
            full_at = max(self._full_at.get((limit.name, who), now), now)
            self._keep(limit, who, full_at + limit.time_for(amount))

    def _keep(self, limit: Limit, who: str, full_at: float) -> None:
        if len(self._full_at) >= self._most:
            self._drop()
        self._full_at[limit.name, who] = full_at

    def _drop(self) -> None:
        """Drop full buckets; if that is not enough, those closest to full, down to nine tenths."""
        now = self._clock()
        self._full_at = {key: moment for key, moment in self._full_at.items() if moment > now}
        surplus = len(self._full_at) - self._most * 9 // 10
        for key in nsmallest(max(surplus, 0), self._full_at, key=self._full_at.__getitem__):
            del self._full_at[key]

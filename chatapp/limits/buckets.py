"""Token buckets in this process's memory: they limit what a person or an address may use.

A bucket is one number: the time at which it will be full again. Taking from the bucket moves that
time on. A full bucket is like none, so it is dropped.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from heapq import nsmallest
from threading import Lock
from typing import Protocol, TypeAlias

MOST_BUCKETS = 50_000
ROUNDING = 1e-6  # The rounding error that sums of floats may have, in seconds.


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit: at most `most` at once, and as much again in each period of `seconds`. If `most` is
    0, there is no limit.

    `sentence` tells the person that the limit is reached; it may contain `{most}`.
    """

    name: str
    most: int
    seconds: float
    sentence: str

    def time_for(self, amount: float) -> float:
        """Return how many seconds it takes to regain this amount."""
        return amount * self.seconds / self.most


# What to take: the limit, the person or address, and the amount.
Take: TypeAlias = tuple[Limit, str, float]


class Buckets(Protocol):
    """A store of buckets. Its calls may wait for a server, so make them in a thread."""

    def take(self, limit: Limit, who: str, amount: float = 1) -> float:
        """Take the amount and return 0, or take nothing and return the seconds until it is
        available.

        An amount larger than the bucket may be taken from a full one.
        """

    def charge(self, limit: Limit, who: str, amount: float) -> None:
        """Charge for use that has happened, even beyond the limit; a negative amount refunds."""


class MemoryBuckets:
    """Buckets of this process alone. Several threads may share the object."""

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
        """Drop full buckets; then, if needed, the fullest, until a tenth of the store is free."""
        now = self._clock()
        self._full_at = {key: moment for key, moment in self._full_at.items() if moment > now}
        surplus = len(self._full_at) - self._most * 9 // 10
        for key in nsmallest(max(surplus, 0), self._full_at, key=self._full_at.__getitem__):
            del self._full_at[key]

"""How long people must wait before they may try a password again: longer after each wrong try.

Tries are kept in this process's memory; `shared_tries` keeps them in Redis. A try is counted when
it begins, so that simultaneous tries all count; one with the right password is taken back.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from heapq import nsmallest
from threading import Lock
from typing import TypeAlias

FORGOTTEN_AFTER = 3_600  # How many seconds without a try must pass until a count is dropped.
MOST = 50_000


@dataclass(frozen=True, slots=True)
class Allowance:
    """The number of tries without a pause, and the longest pause after further tries.

    The pauses are 1, 2, 4 ... seconds. If `free` is 0, there is never a pause.
    """

    name: str
    free: int
    longest: int

    def pause(self, count: int) -> int:
        """Return the pause after this many tries, in seconds."""
        beyond = count - self.free
        return 0 if beyond < 0 else min(2 ** min(beyond, 30), self.longest)


# An allowance, and the name or the address to which it applies.
Key: TypeAlias = tuple[Allowance, str]


@dataclass(slots=True)
class _Record:
    count: int = 0
    last: float = 0


class Tries:
    """Counts the tries that reach this process. Several threads may share the object."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        self._records: dict[tuple[str, str], _Record] = {}
        self._lock = Lock()

    def begin(self, *keys: Key) -> float:
        """Count a try and return 0 if it may be made; otherwise return the seconds to wait."""
        with self._lock:
            now = self._clock()
            if wait := max(self._wait(key, now) for key in keys):
                return wait
            for allowance, who in keys:
                self._count(allowance, who, now)
            return 0

    def take_back(self, allowance: Allowance, who: str) -> None:
        """Take a try out of the count, because it was not a wrong one."""
        with self._lock:
            if record := self._records.get((allowance.name, who)):
                record.count = max(record.count - 1, 0)
                # Leave no pause: the one before this try was over when the try began.
                record.last -= allowance.pause(record.count)

    def forget(self, allowance: Allowance, who: str) -> None:
        with self._lock:
            self._records.pop((allowance.name, who), None)

    def _wait(self, key: Key, now: float) -> float:
        allowance, who = key
        record = self._records.get((allowance.name, who))
        if record is None or not allowance.free:
            return 0
        return max(record.last + allowance.pause(record.count) - now, 0)

    def _count(self, allowance: Allowance, who: str, now: float) -> None:
        if len(self._records) >= self._most:
            self._drop(now)
        record = self._records.setdefault((allowance.name, who), _Record())
        if now - record.last >= FORGOTTEN_AFTER:
            record.count = 0
        record.count += 1
        record.last = now

    def _drop(self, now: float) -> None:
        """Drop expired entries; if there are none, drop the oldest tenth."""
        old = [key for key, record in self._records.items() if now - record.last >= FORGOTTEN_AFTER]
        surplus = self._most // 10 if not old else 0
        for key in [*old, *nsmallest(surplus, self._records, key=lambda k: self._records[k].last)]:
            del self._records[key]

"""Whose answer is written next: a few at once, and people take turns for the rest."""

from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID


class TurnQueue:
    """The queue of one process, for its event loop. `most` 0: nobody waits."""

    def __init__(self) -> None:
        self._running: dict[UUID, str] = {}
        self._waiting: OrderedDict[str, deque[UUID]] = OrderedDict()  # By person, next one first.
        self._coming: Counter[str] = Counter()

    def enter(self, turn: UUID, person: str, most: int) -> bool:
        """Return whether it may begin now; otherwise it waits."""
        if not most or (len(self._running) < most and not self._waiting):
            self._running[turn] = person
            return True
        self._waiting.setdefault(person, deque()).append(turn)
        return False

    def leave(self, turn: UUID) -> None:
        """Remove it: it has ended, or waits no more."""
        self._running.pop(turn, None)
        for person, turns in self._waiting.items():
            if turn in turns:
                turns.remove(turn)
                if not turns:
                    del self._waiting[person]
                return

    def next(self, most: int) -> UUID | None:
        """Return the one that may begin now, if there is a free place."""
        if not self._waiting or (most and len(self._running) >= most):
            return None
        person, turns = next(iter(self._waiting.items()))
        turn = turns.popleft()
        if turns:
            self._waiting.move_to_end(person)
        else:
            del self._waiting[person]
        self._running[turn] = person
        return turn

    def order(self) -> Iterator[UUID]:
        """Yield those that wait, in the order they will begin if nobody else comes."""
        rounds = max(map(len, self._waiting.values()), default=0)
        for place in range(rounds):
            for turns in self._waiting.values():
                if place < len(turns):
                    yield turns[place]

    def opened_by(self, person: str) -> int:
        """Count one person's answers that are being written, wait, or are about to begin."""
        running = sum(whose == person for whose in self._running.values())
        return running + len(self._waiting.get(person, ())) + self._coming[person]

    @contextmanager
    def coming(self, person: str) -> Iterator[int]:
        """Guard a command that may begin an answer; yield how many others there are.

        Commands that come at the same time count each other.
        """
        others = self.opened_by(person)
        self._coming[person] += 1
        try:
            yield others
        finally:
            self._coming[person] -= 1
            if not self._coming[person]:
                del self._coming[person]

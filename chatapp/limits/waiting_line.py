"""Whose answer is written next: a few at once, and people take turns for the rest."""

from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID


class WaitingLine:
    """The queue of one process, for its event loop. `most` 0: nobody waits."""

    def __init__(self) -> None:
        self._running: dict[UUID, str] = {}
        self._waiting: OrderedDict[str, deque[UUID]] = OrderedDict()  # By person, next one first.
        self._coming: Counter[str] = Counter()

    def enter(self, answer: UUID, person: str, most: int) -> bool:
        """Return whether it may begin now; otherwise it waits."""
        if not most or (len(self._running) < most and not self._waiting):
            self._running[answer] = person
            return True
        self._waiting.setdefault(person, deque()).append(answer)
        return False

    def leave(self, answer: UUID) -> None:
        """Remove it: it has ended, or waits no more."""
        self._running.pop(answer, None)
        for person, answers in self._waiting.items():
            if answer in answers:
                answers.remove(answer)
                if not answers:
                    del self._waiting[person]
                return

    def next(self, most: int) -> UUID | None:
        """Return the one that may begin now, if there is a free place."""
        if not self._waiting or (most and len(self._running) >= most):
            return None
        person, answers = next(iter(self._waiting.items()))
        answer = answers.popleft()
        if answers:
            self._waiting.move_to_end(person)
        else:
            del self._waiting[person]
        self._running[answer] = person
        return answer

    def order(self) -> Iterator[UUID]:
        """Yield those that wait, in the order they will begin if nobody else comes."""
        rounds = max(map(len, self._waiting.values()), default=0)
        for place in range(rounds):
            for answers in self._waiting.values():
                if place < len(answers):
                    yield answers[place]

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

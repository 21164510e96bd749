"""How long running answers hold their text back between two portions.

Each portion costs about as much as it costs to read some tokens: it is rendered, encoded, sent and
stored. If only a few answers are written, they show every token at once. Many answers share a fixed
number of portions per second, so that a process has time left to read what providers stream.
"""

from weakref import WeakSet

SHORTEST, LONGEST = 0.03, 0.13  # Seconds. Text that comes later than 0.2 s is seen to stutter.
PORTIONS = 1_000  # Per second, for all answers together.


class Pace:
    """The pace of this process. `writing` are the streams whose models are writing text now."""

    def __init__(self) -> None:
        self.writing: WeakSet[object] = WeakSet()  # Weak, so that a lost answer stops counting.

    def enter(self, stream: object) -> None:
        """Count a stream, from its first text on. Doing it again changes nothing."""
        self.writing.add(stream)

    def leave(self, stream: object) -> None:
        self.writing.discard(stream)

    @property
    def seconds(self) -> float:
        return min(LONGEST, max(SHORTEST, len(self.writing) / PORTIONS))


pace = Pace()

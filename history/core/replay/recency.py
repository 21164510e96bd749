"""How many recent messages a model sees, in figures by which two replays can be compared."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import CHANGED, Verdict
from history.core.replay.replay import Replay

CUTS = frozenset({Verdict.TRIMMED, Verdict.SUMMARISED})
BY_SIZE = "token_limiter"  # The only processor that removes the oldest messages.


@dataclass(frozen=True, slots=True)
class Sight:
    """The recent messages in one request. `turns` counts the turns from the current one back to,
    but not including, the newest turn with a trimmed or summarised message. `messages` counts
    messages that are sent word for word. `is_cut`: something was trimmed, summarised, replaced or
    shortened.
    """

    turns: int
    messages: int
    is_cut: bool

    def covers(self, other: "Sight") -> bool:
        return self.turns >= other.turns and self.messages >= other.messages


@dataclass(frozen=True, slots=True)
class Spread:
    """The smallest, the mean and the greatest value of a figure."""

    least: int
    mean: float
    most: int

    @classmethod
    def of(cls, figures: Sequence[int]) -> "Spread":
        return cls(min(figures), round(sum(figures) / len(figures), 1), max(figures))


@dataclass(frozen=True, slots=True)
class Recency:
    """How many recent messages a replay shows, in the requests that the other replay cuts."""

    turns: Spread
    messages: Spread

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def sights(replay: Replay) -> tuple[Sight, ...]:
    """Return the `Sight` of each request. None of the requests may be refused."""
    return tuple(sight(step.plan) for step in replay.steps if step.plan)


def sight(plan: Plan) -> Sight:
    own = [entry for entry in plan.entries if entry.positions]
    cut = [entry.last_turn or 0 for entry in own if _cuts(entry)]
    whole = sum(entry.count for entry in own if entry.verdict is Verdict.KEPT)
    is_cut = bool(cut) or any(entry.verdict in CHANGED for entry in own)
    return Sight(plan.counts.last_turn - max(cut, default=0), whole, is_cut)


def recency(seen: Iterable[Sight], beside: Sequence[Sight]) -> Recency | None:
    """Sum up what is `seen` at those steps whose requests are cut in `beside`; None without any."""
    sample = [own for own, other in zip(seen, beside, strict=True) if other.is_cut]
    if not sample:
        return None
    turns, messages = [s.turns for s in sample], [s.messages for s in sample]
    return Recency(Spread.of(turns), Spread.of(messages))


def shows_less(seen: Iterable[Sight], beside: Iterable[Sight]) -> int:
    """Count the requests that show fewer turns, or fewer messages, than those in `beside`."""
    return sum(not own.covers(other) for own, other in zip(seen, beside, strict=True))


def _cuts(entry: Entry) -> bool:
    return entry.verdict in CUTS or entry.rule == BY_SIZE

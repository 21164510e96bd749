"""The panel's head: the turn that is shown, and links to others, their answers and their steps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chatapp.inspector.strip import Strip, strip
from chatapp.inspector.zone import ShownRecord
from history.models import ContextPlan
from history.services.explain.lookup import TurnRequest, attempts, recorded_turns
from history.services.explain.turn_figures import turn_figures

NEAR = 2  # Turns shown on either side.


@dataclass(frozen=True, slots=True)
class TurnLink:
    """`is_recorded`: a request for it is stored, so there is something to show."""

    number: int
    is_shown: bool
    is_recorded: bool


@dataclass(frozen=True, slots=True)
class RequestChoice:
    """Another request for the same turn."""

    number: int
    query: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Head:
    """`turns` are a few around the shown one, and the ends; None is a gap between them. `attempts`
    are all requests for the shown turn, the oldest first.
    """

    record: ContextPlan
    turns: Sequence[TurnLink | None]
    strip: Strip
    attempts: Sequence[TurnRequest]

    @property
    def answers(self) -> list[RequestChoice]:
        """The turn's generations, the oldest first."""
        found = dict.fromkeys(attempt.generation for attempt in self.attempts)
        return [
            RequestChoice(number, f"generation={pk}", pk == self.record.generation_id)
            for number, pk in enumerate(found, 1)
        ]

    @property
    def steps(self) -> list[RequestChoice]:
        """The shown generation's requests."""
        return [
            RequestChoice(
                a.step, f"generation={a.generation}&step={a.step}", a.step == self.record.step
            )
            for a in self.attempts
            if a.generation == self.record.generation_id
        ]

    @property
    def previous(self) -> int | None:
        return self._recorded(self.record.generation.turn - 1)

    @property
    def next(self) -> int | None:
        return self._recorded(self.record.generation.turn + 1)

    def _recorded(self, turn: int) -> int | None:
        recorded = {link.number for link in self.turns if link and link.is_recorded}
        return turn if turn in recorded else None


def head_of(shown: ShownRecord) -> Head:
    turn, last = shown.explanation.turn, shown.explanation.turns
    numbers = near(turn, max(last, turn))
    recorded = recorded_turns(shown.conversation, numbers)
    return Head(
        shown.record,
        list(links(numbers, turn, recorded)),
        strip(turn, turn_figures(shown.record)),
        attempts(shown.record),
    )


def near(shown: int, last: int) -> list[int]:
    """Return the turns to link to: the first, the last, the shown one's neighbours, and what would
    be the only one between two of these.
    """
    around = range(max(1, shown - NEAR), min(last, shown + NEAR) + 1)
    chosen = {1, last, *around}
    return sorted(chosen | {n + 1 for n in chosen if n + 2 in chosen}) if last else []


def links(numbers: list[int], shown: int, recorded: frozenset[int]) -> Iterator[TurnLink | None]:
    """Yield a link for each number, and None for each gap between them."""
    for before, number in pairwise([0, *numbers]):
        if number > before + 1:
            yield None
        yield TurnLink(number, number == shown, number in recorded)

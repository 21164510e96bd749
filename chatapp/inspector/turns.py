"""Links to other turns: a few numbers around the shown one, and the ends."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

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

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


def near(shown: int, last: int) -> list[int]:
    """Return the turns to link to: the first, the last, and the shown one's neighbours."""
    around = range(max(1, shown - NEAR), min(last, shown + NEAR) + 1)
    return sorted({1, last, *around}) if last else []


def links(numbers: list[int], shown: int, recorded: frozenset[int]) -> Iterator[TurnLink | None]:
    """Yield a link for each number, and None for each gap between them."""
    for before, number in pairwise([0, *numbers]):
        if number > before + 1:
            yield None
        yield TurnLink(number, number == shown, number in recorded)

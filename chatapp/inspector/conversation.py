"""The picture of a whole conversation: a bar of its messages that shows what became of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import PIN, Verdict
from history.core.words.wording import number
from history.services.explain.window import sides_of
from history.wording.names import capitalised, messages

MOST = 120  # The most pieces of the drawing; more stretches than that are drawn in bins.
WIDTH, HEIGHT = 100, 26  # The drawing's width in percent, and its height in pixels.
THINNEST = 0.8  # The least width of a piece that is still visible, in percent.
WORDS = {
    "sent": gettext_lazy("sent"),
    "pinned": gettext_lazy("pinned, so sent"),
    "changed": gettext_lazy("sent shortened or changed"),
    "summarised": gettext_lazy("left out, but summarised"),
    "left-out": gettext_lazy("left out"),
    "excluded": gettext_lazy("left out by hand"),
    "unsent": gettext_lazy("not sent"),
}
FATES = {
    Verdict.KEPT: "sent",
    Verdict.ALTERED: "changed",
    Verdict.PLACEHOLDER: "changed",
    Verdict.SUMMARISED: "summarised",
    Verdict.EXCLUDED: "excluded",
}
# Messages with these fates get a sign above the bar, in which they may be too thin to see.
MARKED = ("pinned", "excluded")
Stretch: TypeAlias = tuple[range, str]  # Neighbouring positions that have the same fate.


@dataclass(frozen=True, slots=True)
class Band:
    """A coloured part of a piece, for one fate; positions are in pixels from the top."""

    fate: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Piece:
    """Neighbouring messages that are drawn as one, and how many of them had each fate."""

    first: int
    last: int
    fates: Mapping[str, int]
    x: float
    width: float

    @property
    def title(self) -> str:
        where = capitalised(messages(self.first, self.last))
        if len(self.fates) == 1:
            return _("{messages}: {fate}").format(
                messages=where, fate=WORDS[next(iter(self.fates))]
            )
        each = ", ".join(f"{number(count)} {WORDS[fate]}" for fate, count in self.fates.items())
        return _("{messages}: {fate}").format(messages=where, fate=each)

    @property
    def bands(self) -> Iterator[Band]:
        """Divide the piece's height among the fates, in the legend's order."""
        y, count = 0.0, sum(self.fates.values())
        for fate in (fate for fate in WORDS if fate in self.fates):
            height = HEIGHT * self.fates[fate] / count
            yield Band(fate, round(y, 2), round(height, 2))
            y += height


@dataclass(frozen=True)
class ConversationPicture:
    """The picture's data. `start` is the window's first position, where the finder begins."""

    count: int
    stretches: Sequence[Stretch]
    start: int

    @cached_property
    def pieces(self) -> list[Piece]:
        """The pieces from left to right: the stretches or, if those are too many, equal bins."""
        if len(self.stretches) <= MOST:
            return [self._piece([stretch]) for stretch in self.stretches]
        size = -(-self.count // MOST)
        return [self._piece(part) for part in binned(self.stretches, size)]

    @property
    def legend(self) -> list[tuple[str, str]]:
        present = {fate for _positions, fate in self.stretches}
        return [(fate, str(word)) for fate, word in WORDS.items() if fate in present]

    @property
    def marks(self) -> list[tuple[str, float]]:
        """Pins and exclusions, each at its place in percent; neighbouring ones share a mark."""
        places = (
            (fate, round(min(WIDTH - 1, max(1, WIDTH * (position + 0.5) / self.count))))
            for positions, fate in self.stretches
            if fate in MARKED
            for position in positions[:: max(1, len(positions) // (2 * WIDTH))]
        )
        return list(dict.fromkeys(places))

    def _piece(self, stretches: Sequence[Stretch]) -> Piece:
        fates: dict[str, int] = {}
        for positions, fate in stretches:
            fates[fate] = fates.get(fate, 0) + len(positions)
        first, last = stretches[0][0][0], stretches[-1][0][-1]
        width = max(THINNEST, WIDTH * (last - first + 1) / self.count)
        x = min(WIDTH * first / self.count, WIDTH - width)
        return Piece(first, last, fates, round(x, 2), round(width, 2))


def conversation_picture(plan: Plan, *, has_left: bool = True) -> ConversationPicture:
    """Draw a plan; if its request was never sent, no message was."""
    entries = [entry for entry in plan.entries if entry.positions]
    fates = ((fate_of(each) if has_left else "unsent", each.positions) for each in entries)
    stretches = [
        (range(parts[0][1][0], parts[-1][1][-1] + 1), fate)
        for fate, group in groupby(fates, key=itemgetter(0))
        if (parts := list(group))
    ]
    return ConversationPicture(plan.counts.transcript, stretches, sides_of(plan).start)


def fate_of(entry: Entry) -> str:
    if entry.rule == PIN and entry.verdict is Verdict.KEPT:
        return "pinned"
    return FATES.get(entry.verdict, "left-out")


def binned(stretches: Iterable[Stretch], size: int) -> Iterator[list[Stretch]]:
    """Cut stretches into bins of `size` messages each."""
    cut = (
        (range(first, min(positions[-1] + 1, (first // size + 1) * size)), fate)
        for positions, fate in stretches
        for first in _firsts(positions, size)
    )
    for _number, parts in groupby(cut, key=lambda part: part[0][0] // size):
        yield list(parts)


def _firsts(positions: range, size: int) -> Iterator[int]:
    """Yield the first position of a stretch, and each of its positions at which a bin begins."""
    yield positions[0]
    yield from range((positions[0] // size + 1) * size, positions[-1] + 1, size)

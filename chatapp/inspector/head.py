"""The panel's head: the turn that is shown, and links to other turns, to answers and to steps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chatapp.inspector.zone import ShownRecord
from history.core.words.wording import number
from history.services.explain.lookup import attempts, recorded_turns
from history.services.explain.turn_figures import TurnFigures, turn_figures
from history.wording.names import capitalised, turns

NEAR = 2  # How many turns are linked to on either side of the shown turn.
MOST = 60  # The most turns that the strip shows.
FEWEST = 20  # With few turns, bars are as narrow as if there were this many turns.
WIDTH = 100  # The width of the strip, in percent.
# In pixels: the height of the band of tokens, of the band of cached tokens, and of the gap.
TOKENS, CACHE, GAP = 26, 8, 3
BAR = 0.8  # The share of a turn's width that its bar covers.


@dataclass(frozen=True, slots=True)
class TurnLink:
    """A link to a turn; `is_recorded` says whether a request of the turn can be shown."""

    number: int
    is_shown: bool
    is_recorded: bool


@dataclass(frozen=True, slots=True)
class RequestChoice:
    """A link to one of the requests of the turn."""

    number: int
    query: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class TurnBar:
    """The tokens that a turn sent, by our estimate, and the share read from the cache, as reported.

    Widths are in percent, heights in pixels. `cache` is None if nothing was reported.
    """

    figures: TurnFigures
    is_shown: bool
    x: float
    width: float
    height: float
    cache: float | None

    @property
    def y(self) -> float:
        return round(TOKENS - self.height, 2)

    @property
    def cache_y(self) -> float:
        return round(TOKENS + GAP + CACHE - (self.cache or 0), 2)

    @property
    def title(self) -> str:
        return _turn(self.figures.turn, _words(self.figures))


@dataclass(frozen=True, slots=True)
class Strip:
    """The drawing of what each turn sent. Without at least two turns, nothing is drawn."""

    turn: int
    figures: Sequence[TurnFigures]

    def __bool__(self) -> bool:
        return len(self.figures) > 1

    @property
    def bars(self) -> Iterator[TurnBar]:
        first, last = self.figures[0].turn, self.figures[-1].turn
        slot = WIDTH / max(FEWEST, last - first + 1)
        most = max(1, *(figures.sent for figures in self.figures))
        for figures in self.figures:
            yield TurnBar(
                figures,
                is_shown=figures.turn == self.turn,
                x=round((figures.turn - first) * slot, 2),
                width=round(slot * BAR, 2),
                height=max(1, round(TOKENS * figures.sent / most, 2)),
                cache=None if figures.share is None else round(CACHE * figures.share, 2),
            )

    @property
    def now(self) -> str:
        """The figures of the turn that is shown."""
        return next((_words(one) for one in self.figures if one.turn == self.turn), "")

    @property
    def sentence(self) -> str:
        """Describe the drawing for people who cannot see it."""
        tokens = [figures.sent for figures in self.figures]
        span = turns(self.figures[0].turn, self.figures[-1].turn)
        between = _("{turns}: {least} to {most} tokens sent per turn").format(
            turns=capitalised(span), least=number(min(tokens)), most=number(max(tokens))
        )
        return f"{between}; {_turn(self.turn, self.now)}" if self.now else between


@dataclass(frozen=True, slots=True)
class Head:
    """The data of the panel's head.

    `turns` links to the first and the last turn and to those around the shown one; None is a gap.
    `answers` are the shown turn's generations, the oldest first, and `steps` are the requests of
    the shown generation.
    """

    turns: Sequence[TurnLink | None]
    strip: Strip
    answers: Sequence[RequestChoice]
    steps: Sequence[RequestChoice]
    previous: int | None
    next: int | None


def head_of(panel: ShownRecord) -> Head:
    record, turn, last = panel.record, panel.explanation.turn, panel.explanation.turns
    numbers = near(turn, max(last, turn))
    recorded, requests = recorded_turns(panel.conversation, numbers), attempts(record)
    answers = dict.fromkeys(request.generation for request in requests)
    steps = [r.step for r in requests if r.generation == record.generation_id]
    own = f"generation={record.generation_id}"
    return Head(
        turns=list(links(numbers, turn, recorded)),
        strip=strip(turn, turn_figures(record)),
        answers=[
            RequestChoice(place, f"generation={pk}", pk == record.generation_id)
            for place, pk in enumerate(answers, 1)
        ],
        steps=[RequestChoice(n, f"{own}&step={n}", n == record.step) for n in steps],
        previous=turn - 1 if turn - 1 in recorded else None,
        next=turn + 1 if turn + 1 in recorded else None,
    )


def near(turn: int, last: int) -> list[int]:
    """Return the turns to link to: the first, the last, the shown one and its neighbours, and any
    turn that would be a gap by itself.
    """
    around = range(max(1, turn - NEAR), min(last, turn + NEAR) + 1)
    numbers = {1, last, *around}
    return sorted(numbers | {n + 1 for n in numbers if n + 2 in numbers}) if last else []


def links(numbers: list[int], turn: int, recorded: frozenset[int]) -> Iterator[TurnLink | None]:
    """Yield a link to each of these turns, and None for each gap between them."""
    for before, each in pairwise([0, *numbers]):
        if each > before + 1:
            yield None
        yield TurnLink(each, each == turn, each in recorded)


def strip(turn: int, figures: Sequence[TurnFigures]) -> Strip:
    """Choose the turns to draw: the shown one and as many before as after it, if possible."""
    last = figures[-1].turn if figures else 0
    end = min(last, max(MOST, turn + MOST // 2))
    return Strip(turn, [one for one in figures if end - MOST < one.turn <= end])


def _words(figures: TurnFigures) -> str:
    text = ngettext("{count} token sent", "{count} tokens sent", figures.sent)
    tokens = text.format(count=number(figures.sent))
    if figures.share is None:
        return tokens
    return _("{sent}, {share}% read from cache").format(
        sent=tokens, share=f"{100 * figures.share:.0f}"
    )


def _turn(turn: int, figures: str) -> str:
    return _("turn {turn}: {figures}").format(turn=number(turn), figures=figures)

"""A bar for each turn around the shown one: tokens sent, and the share read from the cache.

The tokens are our estimate, the same as everywhere else; only the provider knows its cache.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from history.core.wording import number
from history.services.explain.turn_figures import TurnFigures
from history.wording.names import capitalised, turns

MOST = 60  # Turns that are drawn, including the shown one.
FEWEST = 20  # This many would fill the width: a few bars stay narrow.
WIDTH = 100  # Percent of the drawing's width.
TOKENS, CACHE, GAP = 26, 8, 3  # Heights of the two bands in pixels, and between them.
BAR = 0.8  # Of the room that a turn has.


@dataclass(frozen=True, slots=True)
class TurnBar:
    """Widths are in percent, heights in pixels. `cache` is None if nothing was reported."""

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
    """Nothing is drawn until two turns have figures."""

    shown: int
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
                is_shown=figures.turn == self.shown,
                x=round((figures.turn - first) * slot, 2),
                width=round(slot * BAR, 2),
                height=max(1, round(TOKENS * figures.sent / most, 2)),
                cache=None if figures.share is None else round(CACHE * figures.share, 2),
            )

    @property
    def now(self) -> str:
        """The shown request's figures."""
        return next((_words(one) for one in self.figures if one.turn == self.shown), "")

    @property
    def sentence(self) -> str:
        """What the drawing shows, for people who cannot see it."""
        sent = [figures.sent for figures in self.figures]
        span = turns(self.figures[0].turn, self.figures[-1].turn)
        between = _("{turns}: {least} to {most} tokens sent per turn").format(
            turns=capitalised(span), least=number(min(sent)), most=number(max(sent))
        )
        return f"{between}; {_turn(self.shown, self.now)}" if self.now else between


def strip(shown: int, figures: Sequence[TurnFigures]) -> Strip:
    """Choose the shown turn's neighbours, as many after it as before it."""
    last = figures[-1].turn if figures else 0
    end = min(last, max(MOST, shown + MOST // 2))
    return Strip(shown, [one for one in figures if end - MOST < one.turn <= end])


def _words(figures: TurnFigures) -> str:
    sent = ngettext("{count} token sent", "{count} tokens sent", figures.sent)
    said = sent.format(count=number(figures.sent))
    if figures.share is None:
        return said
    return _("{sent}, {share}% read from cache").format(
        sent=said, share=f"{100 * figures.share:.0f}"
    )


def _turn(turn: int, figures: str) -> str:
    return _("turn {turn}: {figures}").format(turn=number(turn), figures=figures)

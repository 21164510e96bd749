"""The figures for each day or week, which the chart draws."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from chatapp.overview.chosen import ended, ended_counts, starts
from chatapp.overview.figures import Figures
from chatapp.overview.forms import OverviewQuery
from chatapp.overview.sums.cells import Cell, merged, parted
from chatapp.overview.sums.expressions import period_of

FEWEST = 7  # The fewest periods that the chart draws, even if some have no figures.


@dataclass(frozen=True, slots=True)
class PeriodFigures:
    """The figures of a day or of a week."""

    start: date
    figures: Figures

    @property
    def is_empty(self) -> bool:
        return not (self.figures.requests or self.figures.failures or self.figures.stopped)


def trend(query: OverviewQuery, cells: Iterable[Cell]) -> list[PeriodFigures]:
    """Return each day or week of the period, the oldest first, including empty ones."""
    ends = ended_counts(ended(query), period_of(starts(query)))
    parts = parted(cells, lambda cell: cell.period)
    return [
        PeriodFigures(day, merged(parts.get(number, ()), *ends.get(number, (0, 0))))
        for number, day in enumerate(query.period.parts)
    ]


def total(cells: Sequence[Cell], periods: Iterable[PeriodFigures]) -> Figures:
    """Add up all cells, and the periods' failed and stopped answers: some of them ended before any
    request.
    """
    ends = [(period.figures.failures, period.figures.stopped) for period in periods]
    return merged(cells, sum(failed for failed, _ in ends), sum(stops for _, stops in ends))


def first_drawn(periods: Sequence[PeriodFigures]) -> int:
    """Return the index of the first period to draw; all earlier ones are empty.

    Later periods without a request are drawn as gaps.
    """
    first = next((at for at, each in enumerate(periods) if not each.is_empty), 0)
    return max(0, min(first, len(periods) - FEWEST))

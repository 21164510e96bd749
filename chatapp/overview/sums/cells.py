"""The requests of a period, read in one pass and added up by day or week, agent and model."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from operator import add
from typing import Any, TypeVar

from chatapp.overview.chosen import calls, starts
from chatapp.overview.figures import Figures, sums
from chatapp.overview.forms import OverviewQuery
from chatapp.overview.speed import ModelSpeed, Speed
from chatapp.overview.sums.expressions import Values, period_of

Key = TypeVar("Key", str, int)


@dataclass(frozen=True, slots=True)
class Cell:
    """The requests of one agent to one model in the `period`th period, counted from 0.

    `firsts` and `wholes` are the times to the first token and to the end, in milliseconds, in
    rising order. `figures` has no speed, because speeds of cells can't be added up.
    """

    period: int
    agent: str
    model: str
    figures: Figures
    firsts: Sequence[float] = ()
    wholes: Sequence[float] = ()


def cells(query: OverviewQuery) -> list[Cell]:
    """Read all cells. The chart, the totals, the agents and the models are sums of cells."""
    keyed = calls(query).values("agent", "model", period=period_of(starts(query)))
    times = {"firsts": Values("first_ms"), "wholes": Values("total_ms")}
    rows: Iterable[Mapping[str, Any]] = keyed.order_by().annotate(**sums(), **times)
    return [
        Cell(
            row["period"],
            row["agent"],
            row["model"],
            Figures.of(row),
            *(sorted(row[name] or ()) for name in times),
        )
        for row in rows
    ]


def added(group: Iterable[Cell]) -> Figures:
    return reduce(add, (cell.figures for cell in group), Figures())


def merged(group: Sequence[Cell], failures: int = 0, stopped: int = 0) -> Figures:
    """Add up cells, with the speed of all their requests taken together."""
    return replace(added(group), failures=failures, stopped=stopped, speed=speed_of(group))


def speed_of(group: Sequence[Cell]) -> Speed:
    firsts = sorted(chain.from_iterable(cell.firsts for cell in group))
    wholes = sorted(chain.from_iterable(cell.wholes for cell in group))
    return Speed.among(firsts, wholes)


def parted(all_cells: Iterable[Cell], key: Callable[[Cell], Key]) -> dict[Key, list[Cell]]:
    """Group cells by the value that `key` has for each."""
    parts: dict[Key, list[Cell]] = {}
    for cell in all_cells:
        parts.setdefault(key(cell), []).append(cell)
    return parts


def model_speeds(all_cells: Iterable[Cell]) -> list[ModelSpeed]:
    """Return how long each model's requests took; a figure for all models would hide a slow one."""
    return [
        ModelSpeed(
            model,
            speed_of(each),
            firsts=sum(len(cell.firsts) for cell in each),
            wholes=sum(len(cell.wholes) for cell in each),
        )
        for model, each in sorted(parted(all_cells, lambda cell: cell.model).items())
    ]

"""The people, agents and models with the greatest use."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from chatapp.overview.figures import Figures, sums
from chatapp.overview.forms import OverviewQuery
from chatapp.overview.groups import ListedGroup, listed_groups
from chatapp.overview.queries import KeySums, summed
from chatapp.overview.sums.cells import Cell, added, parted

MOST = 5
NEEDED = ("requests", "tokens", "money", "unpriced", "unreported", "unanswered")


@dataclass(frozen=True, slots=True)
class Leading:
    """The first of `count` people, agents or models; `by` says which of these."""

    by: str
    count: int
    rows: Sequence[ListedGroup]


def leading(
    query: OverviewQuery,
    cells: Iterable[Cell],
    agents: Mapping[str, str],
    measure: Callable[[Figures], Decimal | int],
) -> Iterator[Leading]:
    """Rank people, agents and models by a measure. `agents`: existing agents' names by slug."""
    by_agent = parted(cells, lambda cell: cell.agent)
    by_model = parted(cells, lambda cell: cell.model)
    yield _first("person", _people(query), {}, measure)
    yield _first("agent", _sums(by_agent), agents, measure)
    yield _first("model", _sums(by_model), {name: name for name in by_model}, measure)


def _people(query: OverviewQuery) -> list[KeySums]:
    adding = {name: sums()[name] for name in NEEDED}
    rows = summed(replace(query, by="person"), adding)
    return [row for row in rows if row.figures.requests]


def _sums(parts: Mapping[str, Sequence[Cell]]) -> list[KeySums]:
    return [KeySums(key, added(each)) for key, each in parts.items()]


def _first(
    by: str,
    rows: list[KeySums],
    names: Mapping[str, str],
    measure: Callable[[Figures], Decimal | int],
) -> Leading:
    most = sorted(rows, key=lambda row: measure(row.figures), reverse=True)[:MOST]
    return Leading(by, len(rows), listed_groups(by, most, names))

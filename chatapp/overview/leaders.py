"""The people, agents or models that lead a ranking, as the page shows them: with bars and links."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext_lazy as _

from chatapp.overview.figures import Figures
from chatapp.overview.forms import COLUMNS
from chatapp.overview.sums.leading import Leading
from history.core.words.wording import number

NAMES = {"person": _("Person"), "agent": _("Agent"), "model": _("Model")}
ALL = {"person": _("All people"), "agent": _("All agents"), "model": _("All models")}
MEASURES: dict[str, Callable[[Figures], Decimal | int]] = {
    "cost": lambda figures: figures.money,
    "tokens": lambda figures: figures.tokens,
}


@dataclass(frozen=True, slots=True)
class Leader:
    """A person, agent or model that is among the first of a ranking.

    `share` is its figure in percent of the first one's; `query` is empty if it no longer exists.
    """

    label: str
    query: str
    requests: int
    measure: str
    share: str


@dataclass(frozen=True, slots=True)
class Leaders:
    """The first of `count` people, agents or models ranked by `measure`. `all` is the label of the
    link to all of them, `query` its address.
    """

    name: str
    all: str
    measure: str
    count: int
    query: str
    rows: Sequence[Leader]


def leaders(ranking: Leading, measure: str, query: str, queries: Sequence[str]) -> Leaders:
    """Return the first few of a ranking for the page. `queries` has the query that chooses each."""
    value = MEASURES[measure]
    most = max((value(row.figures) for row in ranking.rows), default=0)
    rows = [
        Leader(
            row.label,
            address,
            row.figures.requests,
            _text(row.figures, measure),
            f"{100 * value(row.figures) / most:.1f}%" if most else "0%",
        )
        for row, address in zip(ranking.rows, queries, strict=True)
    ]
    name, every = str(NAMES[ranking.by]), str(ALL[ranking.by])
    return Leaders(name, every, str(COLUMNS[measure]), ranking.count, query, rows)


def measure_of(total: Figures, *, shows_cost: bool) -> str:
    """Return the figure by which people, agents and models are ranked: cost, if any is known."""
    return "cost" if shows_cost and total.money else "tokens"


def _text(figures: Figures, measure: str) -> str:
    return figures.cost_text if measure == "cost" else number(figures.tokens)

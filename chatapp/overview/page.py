"""Everything on the overview, and the addresses that its controls lead to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from chatapp.overview.figures import Figures
from chatapp.overview.forms import COLUMNS, OverviewForm, OverviewQuery, is_weekly
from chatapp.overview.queries import ConversationListing, PeriodFigures

ARIA = {True: "descending", False: "ascending"}


@dataclass(frozen=True, slots=True)
class Column:
    """A heading that sorts. `order` is for `aria-sort`; empty if another column sorts."""

    label: str
    query: str
    order: str


@dataclass(frozen=True, slots=True)
class OverviewPage:
    form: OverviewForm
    wanted: OverviewQuery
    listing: ConversationListing
    buckets: Sequence[PeriodFigures]
    total: Figures
    shows_cost: bool

    @property
    def columns(self) -> Iterator[Column]:
        """Yield columns. A first click sorts the greatest first, a second one the other way
        round.
        """
        down = self.wanted.sort.startswith("-")
        chosen = self.wanted.sort.removeprefix("-")
        for name in self._names:
            is_chosen = name == chosen
            sort = name if is_chosen and down else f"-{name}"
            order = ARIA[down] if is_chosen else ""
            yield Column(str(COLUMNS[name]), self._query(sort=sort, page=None), order)

    @property
    def metrics(self) -> list[tuple[str, str]]:
        """What the chart can draw: names and labels of columns of the table beside it."""
        return [(name, str(COLUMNS[name])) for name in self._names if name != "last"]

    @property
    def step(self) -> str:
        """What one row of the chart's table represents."""
        return _("Week of") if is_weekly(self.wanted.days) else _("Day")

    @property
    def newest_first(self) -> Sequence[PeriodFigures]:
        return self.buckets[::-1]

    @property
    def previous(self) -> str:
        return self._query(page=self.wanted.page - 1) if self.wanted.page > 1 else ""

    @property
    def next(self) -> str:
        return "" if self.listing.is_last else self._query(page=self.wanted.page + 1)

    @property
    def _names(self) -> list[str]:
        return [name for name in COLUMNS if name != "cost" or self.shows_cost]

    def _query(self, **changed: object) -> str:
        """Change parts of the present address, leaving defaults out."""
        given = {name: self.form.cleaned_data[name] for name in self.form.fields}
        return "?" + urlencode({n: v for n, v in {**given, **changed}.items() if v})

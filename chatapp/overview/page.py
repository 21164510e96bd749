"""All data of the overview's page, and the addresses that its links and fields lead to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, ClassVar, TypeAlias

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from chatapp.overview.figures import Figures
from chatapp.overview.forms import CHARTS, COLUMNS, GROUPS
from chatapp.overview.groups import ListedGroup
from chatapp.overview.leaders import Leaders, leaders, measure_of
from chatapp.overview.list_page import ListPage
from chatapp.overview.paging import RowPage
from chatapp.overview.queries import ListedConversation
from chatapp.overview.speed import ModelSpeed, slowest
from chatapp.overview.sums.leading import Leading
from chatapp.overview.sums.trend import PeriodFigures, first_drawn

Listing: TypeAlias = RowPage[ListedConversation] | RowPage[ListedGroup]
NAMES = {
    "": _("Chat"),
    "person": _("Person"),
    "agent": _("Agent"),
    "model": _("Model"),
}
RANGES = {
    "": _("{rows} of {count} chats"),
    "person": _("{rows} of {count} people"),
    "agent": _("{rows} of {count} agents"),
    "model": _("{rows} of {count} models"),
}
NARROWED = {
    (True, False): _("of failed answers"),
    (False, True): _("of stopped answers"),
    (True, True): _("of failed or stopped answers"),
}
ARIA = {True: "descending", False: "ascending"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column heading that sorts the list. `order` is its `aria-sort`, empty if another column
    sorts. `of` names the figure that the column sorts by, if it has several and this is not the
    first.
    """

    label: str
    query: str
    order: str
    of: str


@dataclass(frozen=True, slots=True)
class Tab:
    label: str
    query: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class OverviewPage(ListPage):
    view: ClassVar[str] = "overview"
    ranges: ClassVar[Mapping[str, Any]] = RANGES

    buckets: Sequence[PeriodFigures]
    total: Figures
    shows_cost: bool
    models: Sequence[ModelSpeed] = ()
    leading: Sequence[Leading] = ()

    @property
    def slowest_first(self) -> ModelSpeed | None:
        """The model whose first token takes longest, if there are several to compare."""
        return slowest(self.models, "first")

    @property
    def slowest_whole(self) -> ModelSpeed | None:
        return slowest(self.models, "whole")

    @property
    def slowest_first_query(self) -> str:
        return self.query(by="model", sort="-first_p95")

    @property
    def slowest_whole_query(self) -> str:
        return self.query(by="model", sort="-whole_p95")

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """The parameters to keep when somebody changes a field."""
        return [(name, getattr(self.wanted, name)) for name in ("by", "sort", "chart")]

    def failures(self, **parameters: object) -> str:
        """Return the address that lists the failures which a row counts."""
        reset = {"failures": None, "stopped": None, "by": None, "sort": None, "chart": None}
        return reverse("failures") + self.query(**reset, **parameters)

    @property
    def all_failures(self) -> str:
        return self.failures()

    @property
    def all_stopped(self) -> str:
        """The address that lists only the chats with stopped answers, the most of them first."""
        return self.query(stopped="on", failures=None, by=None, sort="-stopped")

    @property
    def narrowed(self) -> str:
        """Say of which answers the page counts the requests; empty if of all."""
        return str(NARROWED.get((self.wanted.failures, self.wanted.stopped), ""))

    @property
    def name(self) -> str:
        """The word for what each row of the list is about."""
        return str(NAMES[self.wanted.by])

    @property
    def tabs(self) -> Iterator[Tab]:
        """Yield a tab for each way to group rows; each tab begins with the most expensive rows."""
        for by, label in GROUPS.items():
            sort = self._dearest if by else None
            is_chosen = by == self.wanted.by
            yield Tab(str(label), self.query(by=by, sort=sort), is_chosen)

    @property
    def measure(self) -> str:
        """The column by which people, agents and models are ranked."""
        return measure_of(self.total, shows_cost=self.shows_cost)

    @property
    def leaders(self) -> list[Leaders]:
        """The first few people, agents and models, each with the address of their conversations."""
        rankings = []
        for each in self.leading:
            whole = self.query(by=each.by, sort=f"-{self.measure}")
            queries = [self._of(each.by, row.condition) for row in each.rows]
            rankings.append(leaders(each, self.measure, whole, queries))
        return rankings

    def _of(self, by: str, condition: str | int | None) -> str:
        return "" if condition is None else self.query(**{by: condition}, by="")

    @property
    def grouped(self) -> Iterator[tuple[ListedGroup, str, str]]:
        """Yield the rows of a list of groups, each with the addresses of its conversations and of
        its failures.
        """
        for row in self.listing.rows:
            if isinstance(row, ListedGroup):
                query = self._of(self.wanted.by, row.condition)
                yield row, query, query and self.failures(**{self.wanted.by: row.condition})

    @property
    def file(self) -> str:
        return self.query()

    @property
    def columns(self) -> Iterator[Column]:
        """Yield the columns. A first click on one sorts the greatest first; a second, the least."""
        down = self.wanted.sort.startswith("-")
        column = self.wanted.sort.removeprefix("-")
        for name in self._names:
            by_most = column == f"{name}_p95"
            sorts = column if by_most else name
            order = ARIA[down] if sorts == column else ""
            query = self.query(sort=sorts if order and down else f"-{sorts}")
            yield Column(str(COLUMNS[name]), query, order, "95%" if by_most else "")

    @property
    def metrics(self) -> list[tuple[str, str]]:
        """The columns of the table that the chart can draw, each with its name and label."""
        return [(name, str(COLUMNS[name])) for name in self._names if name in CHARTS]

    @property
    def metric(self) -> str:
        """The column that the chart draws: the chosen one, or else the one that is asked for."""
        if self.wanted.chart:
            return self.wanted.chart
        if self.wanted.failures:
            return "failures"
        return "stopped" if self.wanted.stopped else self.measure

    @property
    def charts(self) -> list[tuple[str, str, str, str]]:
        """The columns that the chart can draw, each with its name, label, chart title and query."""
        by_week = self.wanted.period.is_weekly
        title = _("{column} per week") if by_week else _("{column} per day")
        return [
            (name, label, title.format(column=label), self.query(chart=name))
            for name, label in self.metrics
        ]

    @property
    def step(self) -> str:
        """The period that one row of the chart's table stands for."""
        return str(_("Week of") if self.wanted.period.is_weekly else _("Day"))

    @property
    def zone(self) -> str:
        """The time zone in which the chart's days begin."""
        return str(self.wanted.period.zone)

    @property
    def undrawn(self) -> tuple[date, date] | None:
        """The first and the last of the period's days before the chart begins; None if it draws all
        of them. They have nothing under the filters, but days before the period may.
        """
        first = first_drawn(self.buckets)
        if not first:
            return None
        return self.buckets[0].start, self.buckets[first].start - timedelta(days=1)

    @property
    def newest_first(self) -> list[tuple[PeriodFigures, bool, str]]:
        """The chart's periods, the newest first, each with whether it is drawn, and the address of
        the overview of this period alone.
        """
        first = first_drawn(self.buckets)
        rows = [(each, at >= first, self._alone(each)) for at, each in enumerate(self.buckets)]
        return rows[::-1]

    def _alone(self, bucket: PeriodFigures) -> str:
        dates = self.wanted.period.dates_of(bucket.start)
        return self.query(days=None, start=dates.first, end=dates.last, chart=self.wanted.chart)

    @property
    def has_figures(self) -> bool:
        return not all(bucket.is_empty for bucket in self.buckets)

    @property
    def _dearest(self) -> str:
        return "-cost" if self.shows_cost else "-tokens"

    @property
    def _names(self) -> list[str]:
        return [name for name in COLUMNS if name != "cost" or self.shows_cost]

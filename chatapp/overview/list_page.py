"""What the overview and the list of failures have in common: fields, and a list with pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from chatapp.overview.faults import no_page
from chatapp.overview.forms import OverviewForm, OverviewQuery, query_with
from chatapp.overview.paging import RowPage
from history.core.words.wording import number


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page with a list. `view` is the name of its URL.

    If a page number is too high, a notice says so, and the last page is shown.
    """

    view: ClassVar[str]
    ranges: ClassVar[Mapping[str, Any]] = {"": _("{rows} of {count}")}

    form: OverviewForm
    wanted: OverviewQuery
    listing: RowPage[Any]

    def __post_init__(self) -> None:
        if self.listing.rows and self.listing.number < self.wanted.page:
            self.form.blame("page", no_page(self.wanted.page))

    @property
    def person(self) -> str:
        """The name of the chosen person; empty if none is chosen."""
        return self.form.person_name

    @property
    def everybody(self) -> str:
        """The query without the chosen person."""
        return self.query(person=None)

    @property
    def address(self) -> str:
        return reverse(self.view)

    @property
    def place(self) -> str:
        """Say which of all rows the page shows."""
        page, text = self.listing, self.ranges.get(self.wanted.by, self.ranges[""])
        first, last = number(page.first), number(page.last)
        rows = last if first == last else f"{first}\N{EN DASH}{last}"
        return str(text).format(rows=rows, count=number(page.count))

    @property
    def previous(self) -> str:
        place = self.listing.number
        return self.query(page=place - 1) if place > 1 else ""

    @property
    def next(self) -> str:
        return "" if self.listing.is_last else self.query(page=self.listing.number + 1)

    def query(self, **changed: object) -> str:
        """Return the present query with some parameters changed, without those that have their
        default value. It leads to page one unless `page` is given.
        """
        return query_with(self.form, **{"page": None, **changed})

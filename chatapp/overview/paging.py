"""The pages of a list: how many rows a page has, and which page is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

PAGE = 20
Row = TypeVar("Row")
Stored = TypeVar("Stored", bound=Model)


@dataclass(frozen=True, slots=True)
class RowPage(Generic[Row]):
    """One page of rows, of `count` in all. `number` counts from 1; a page past the end becomes the
    last page.
    """

    rows: list[Row]
    number: int = 1
    is_last: bool = True
    count: int = 0

    def of(self, rows: list[Any]) -> "RowPage[Any]":
        """Return the same page with other rows in place of these."""
        return RowPage(rows, self.number, self.is_last, self.count)

    @property
    def first(self) -> int:
        """Return the number of the page's first row among all rows."""
        return (self.number - 1) * PAGE + 1

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


def page_of(rows: Sequence[Row], page: int) -> RowPage[Row]:
    number, last = _place(len(rows), page)
    return RowPage(list(rows[_slice(number)]), number, number == last, len(rows))


def stored_page(rows: QuerySet[Stored], page: int) -> RowPage[Stored]:
    number, last = _place(count := rows.count(), page)
    return RowPage(list(rows[_slice(number)]), number, number == last, count)


def _place(count: int, page: int) -> tuple[int, int]:
    last = max(1, ceil(count / PAGE))
    return min(page, last), last


def _slice(number: int) -> slice:
    return slice((number - 1) * PAGE, number * PAGE)

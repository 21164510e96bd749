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
    """One page of rows. `number` counts from 1; a page past the end becomes the last page."""

    rows: list[Row]
    number: int = 1
    is_last: bool = True

    def of(self, rows: list[Any]) -> "RowPage[Any]":
        """Return the same page with other rows in place of these."""
        return RowPage(rows, self.number, self.is_last)


def page_of(rows: Sequence[Row], page: int) -> RowPage[Row]:
    number, last = _place(len(rows), page)
    return RowPage(list(rows[_slice(number)]), number, number == last)


def stored_page(rows: QuerySet[Stored], page: int) -> RowPage[Stored]:
    number, last = _place(rows.count(), page)
    return RowPage(list(rows[_slice(number)]), number, number == last)


def _place(count: int, page: int) -> tuple[int, int]:
    last = max(1, ceil(count / PAGE))
    return min(page, last), last


def _slice(number: int) -> slice:
    return slice((number - 1) * PAGE, number * PAGE)

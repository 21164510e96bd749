"""Read rows in pages. No cursor stays open, because people may take their time to read an export,
and each page may be read in another thread.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.db.models import Model, Q, QuerySet

M = TypeVar("M", bound=Model)
PAGE = 200


def in_pages(rows: QuerySet[M], *keys: str, size: int = PAGE) -> Iterator[Sequence[M]]:
    """Yield the rows in the order of one or two fields, which together must be unique."""
    page: list[M] = []
    while len(page) == size or not page:
        rest = rows.filter(_after(page[-1], keys)) if page else rows
        page = list(rest.order_by(*keys)[:size])
        if not page:
            return
        yield page


def each(rows: QuerySet[M], *keys: str, size: int = PAGE) -> Iterator[M]:
    for page in in_pages(rows, *keys, size=size):
        yield from page


def _after(last: Model, keys: Sequence[str]) -> Q:
    first, *more = keys
    value = getattr(last, first)
    after = Q(**{f"{first}__gt": value})
    return after | Q(**{first: value}) & _after(last, more) if more else after

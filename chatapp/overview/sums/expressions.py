"""Expressions that make adding up many requests cheap, on both databases."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import (
    Aggregate,
    Case,
    F,
    Func,
    IntegerField,
    JSONField,
    Min,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.sql.compiler import SQLCompiler

from history.models import CallFigures


class Values(Aggregate):
    """All known values of a column, as a list; None or empty if there are none."""

    function = "JSONB_AGG"

    def __init__(self, name: str) -> None:
        condition = Q(**{f"{name}__isnull": False})
        super().__init__(name, filter=condition, output_field=JSONField())

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any
    ) -> Any:
        return self.as_sql(compiler, connection, function="JSON_GROUP_ARRAY", **extra)


class Unindexed(Func):
    """A column by which SQLite groups without an index, which would read rows of all periods."""

    arity = 1
    template = "%(expressions)s"

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any
    ) -> Any:
        return self.as_sql(compiler, connection, template="+%(expressions)s", **extra)


def period_of(starts: Sequence[datetime], first: int = 0) -> Combinable:
    """Return the number of the period in which `created` lies: the last that begins by then.

    This is a binary search, so that many periods take few comparisons; a database's own function
    for dates would be called for each row.
    """
    if len(starts) == 1:
        return Value(first)
    middle = len(starts) // 2
    earlier = When(created__lt=starts[middle], then=period_of(starts[:middle], first))
    later = period_of(starts[middle:], first + middle)
    return Case(earlier, default=later, output_field=IntegerField())


def calls_since(since: datetime) -> QuerySet[CallFigures]:
    """Return the figures of calls since a given time.

    Rows are stored in about the order of their times, so reading on from the first one is faster
    than looking up each row through the index. `pk + 0` keeps PostgreSQL from scanning the ids for
    the first.
    """
    rows = CallFigures.objects.filter(created__gte=since)
    first = rows.order_by().values(none=Value(0)).values(first=Min(F("pk") + 0))
    return rows.filter(pk__gte=first)

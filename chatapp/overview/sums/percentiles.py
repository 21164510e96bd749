"""Percentiles, computed in the same way on both databases."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Aggregate, FloatField
from django.db.models.sql.compiler import SQLCompiler

SQLITE = "overview_percentile(%(expressions)s, %(share)s)"


class Percentile(Aggregate):
    """A discrete percentile: one of the values, never one between two; null if there are none."""

    function = "PERCENTILE_DISC"
    template = "%(function)s(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)"

    def __init__(self, name: str, share: float, **extra: Any) -> None:
        super().__init__(name, share=share, output_field=FloatField(), **extra)

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any
    ) -> Any:
        return self.as_sql(compiler, connection, template=SQLITE, **extra)


class _Values:
    """The aggregate function that SQLite lacks. Each group gets an object of its own."""

    def __init__(self) -> None:
        self._values: list[float] = []
        self._share = 0.0

    def step(self, value: float | None, share: float) -> None:
        if value is not None:
            self._values.append(value)
            self._share = share

    def finalize(self) -> float | None:
        return ranked(sorted(self._values), self._share)


def ranked(values: Sequence[float], share: float) -> float | None:
    """Return the value, of values in rising order, that this share of them does not exceed."""
    return values[ceil(share * len(values)) - 1] if values else None


def give_aggregate(sender: object, connection: BaseDatabaseWrapper, **kwargs: object) -> None:
    """Register the aggregate function with each new connection to SQLite."""
    if connection.vendor == "sqlite":
        connection.connection.create_aggregate("overview_percentile", 2, _Values)

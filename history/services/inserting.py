"""Insert rows with statements that are written only once, as `history.services.prepared` does for
queries.

Django writes an INSERT again for each row, which takes longer than the database takes to store it.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.models import Model
from django.db.models.signals import post_save, pre_save
from django.db.models.sql import InsertQuery

from history.services.prepared import AnyField


class _Insert(NamedTuple):
    """A table's statement, and the fields that it takes. `returns`: the database makes the key."""

    sql: str
    fields: tuple[AnyField, ...]
    returns: bool


def insert(row: Model) -> None:
    """Insert a new row as `save(force_insert=True)` would, signals included.

    Its fields must have plain values, not expressions.
    """
    about: dict[str, Any] = {"instance": row, "raw": False, "using": DEFAULT_DB_ALIAS}
    pre_save.send(type(row), update_fields=None, **about)
    _store(row)
    post_save.send(type(row), update_fields=None, created=True, **about)


def insert_all(rows: Sequence[Model]) -> None:
    """Insert new rows of one table as `bulk_create` would: without signals."""
    if len(rows) == 1:
        _store(rows[0])
    elif rows:
        type(rows[0])._default_manager.bulk_create(rows)


def _store(row: Any) -> None:
    assert row._state.adding, f"{row!r} is stored already"
    row._prepare_related_fields_for_save(operation_name="save")
    connection: Any = connections[DEFAULT_DB_ALIAS]
    statement = _written(row._meta.model, connection.vendor)
    values = [
        each.get_db_prep_save(each.pre_save(row, add=True), connection) for each in statement.fields
    ]
    with transaction.mark_for_rollback_on_error(connection.alias), connection.cursor() as cursor:
        cursor.execute(statement.sql, values)
        if statement.returns:
            row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, connection.alias


@cache
def _written(model: type[Model], vendor: str) -> _Insert:
    """Write the statement for a table and a kind of database."""
    meta: Any = model._meta
    fields = tuple(each for each in meta.local_concrete_fields if each is not meta.auto_field)
    query = InsertQuery(model)
    query.insert_values(fields, [model()], raw=True)
    compiler: Any = query.get_compiler(connection=connections[DEFAULT_DB_ALIAS])
    compiler.returning_fields = meta.db_returning_fields
    ((sql, _),) = compiler.as_sql()
    return _Insert(sql, fields, returns=bool(meta.db_returning_fields))

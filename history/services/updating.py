"""Updates that are written only once, as `history.services.prepared` does for queries.

@prepared_update(pk=field(Conversation, "id"), now=field(Conversation, "active"))
def touched(pk: Any, now: Any) -> Change:
    return Change(Conversation.objects.filter(pk=pk), {"active": now})

touched(pk=key, now=timezone.now())  # What touched.change(...) would update, as a count.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.models import QuerySet
from django.db.models.sql import UpdateQuery

from history.services.prepared import AnyField, Blank, bound


class Change(NamedTuple):
    """The rows to update, and the new value of each field."""

    rows: QuerySet[Any]
    values: Mapping[str, Any]


class PreparedUpdate:
    """An update that is written at its first use, once for each kind of database.

    `change` makes what it stands for.
    """

    def __init__(self, make: Callable[..., Change], fields: dict[str, AnyField]) -> None:
        self.change = make
        self.__name__, self.__module__ = make.__name__, make.__module__
        self._fields = fields
        self._written: dict[str, tuple[str, tuple[Any, ...]]] = {}

    def __call__(self, **values: Any) -> int:
        """Update the rows, and return how many there were."""
        connection: Any = connections[DEFAULT_DB_ALIAS]
        sql, params = self._written.get(connection.vendor) or self._write(connection)
        arguments = {
            name: kind.get_db_prep_save(values[name], connection)
            for name, kind in self._fields.items()
        }
        with (
            transaction.mark_for_rollback_on_error(connection.alias),
            connection.cursor() as cursor,
        ):
            cursor.execute(sql, bound(params, arguments))
            return int(cursor.rowcount)

    def _write(self, connection: Any) -> tuple[str, tuple[Any, ...]]:
        blanks = {name: Blank(name, kind) for name, kind in self._fields.items()}
        rows, values = self.change(**blanks)
        query: Any = rows.query.chain(UpdateQuery)
        query.add_update_values(values)
        statement = query.get_compiler(connection=connection).as_sql()
        self._written[connection.vendor] = statement
        return statement  # type: ignore[no-any-return] # Django's compilers have no types.


def prepared_update(**fields: AnyField) -> Callable[[Callable[..., Change]], PreparedUpdate]:
    """Prepare the change that a function returns; `fields` are those of its arguments."""
    return lambda make: PreparedUpdate(make, fields)

"""Queries that are written once, and then only bound to values.

Django writes the SQL of a queryset again each time it is used, which takes several times as long as
the database takes to answer. So the queries that every turn makes are prepared:

    @prepared(branch=field(Message, "branch"))
    def newest(branch: Any) -> QuerySet[Message]:
        return Message.objects.filter(branch=branch).order_by("-position")[:1]

    newest(branch=3)  # What list(newest.queryset(branch=3)) returns.

A prepared query has one shape: values can't be None, and can't be lists.
"""

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Generic, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    NamedValuesListIterable,
    ValuesListIterable,
    get_related_populators,
)
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")
AnyField: TypeAlias = "Field[Any, Any]"
Convert: TypeAlias = Callable[..., Any]


def field(model: type[Model], name: str) -> AnyField:
    """Return a model's field, which says how to pass a value to the database."""
    kind: Any = model._meta.get_field(name)
    return kind  # type: ignore[no-any-return]


class Blank(Expression):
    """Stands for a value in a prepared statement."""

    def __init__(self, name: str, kind: AnyField) -> None:
        super().__init__(output_field=kind)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", [self]


def bound(params: Iterable[Any], values: dict[str, Any]) -> list[Any]:
    """Fill a statement's blanks with values."""
    return [values[each.name] if isinstance(each, Blank) else each for each in params]


class PreparedQuery(Generic[Row]):
    """A query that is written at its first use, once for each kind of database.

    `queryset` makes the queryset that it stands for.
    """

    def __init__(
        self, make: Callable[..., QuerySet[Any, Row]], fields: dict[str, AnyField]
    ) -> None:
        self.queryset = make
        self.__name__, self.__module__ = make.__name__, make.__module__
        self._fields = fields
        self._written: dict[str, _Written] = {}

    def __call__(self, **values: Any) -> list[Row]:
        """Return the rows. Raise `TransactionManagementError` as the queryset would."""
        connection = connections[DEFAULT_DB_ALIAS]
        statement = self._written.get(connection.vendor) or self._write(connection)
        statement.require_transaction(connection)
        arguments = {
            name: kind.get_db_prep_value(values[name], connection)
            for name, kind in self._fields.items()
        }
        with connection.cursor() as cursor:
            cursor.execute(statement.sql, bound(statement.params, arguments))
            return statement.read(cursor.fetchall(), connection)

    def first(self, **values: Any) -> Row | None:
        """Return the first row. The queryset itself must be sliced, as all its rows are read."""
        return next(iter(self(**values)), None)

    def _write(self, connection: Any) -> "_Written":
        blanks = {name: Blank(name, kind) for name, kind in self._fields.items()}
        statement = _Written(self.queryset(**blanks), connection)
        self._written[connection.vendor] = statement
        return statement


def prepared(
    **fields: AnyField,
) -> Callable[[Callable[..., QuerySet[Any, Row]]], PreparedQuery[Row]]:
    """Prepare the queryset that a function returns; `fields` are those of its arguments."""
    return lambda make: PreparedQuery(make, fields)


def follow(row: Model, *names: str) -> None:
    """Load the rows that these foreign keys refer to, unless they are loaded already."""
    for name in names:
        relation: Any = field(type(row), name)
        key = getattr(row, relation.attname)
        if key is None or relation.is_cached(row):
            continue
        if target := _by_key(relation.related_model).first(key=key):
            relation.set_cached_value(row, target)


@cache
def _by_key(model: type[Model]) -> PreparedQuery[Model]:
    rows: QuerySet[Model] = model._base_manager.all()
    return PreparedQuery(
        lambda key: rows.filter(pk=key), {"key": field(model, model._meta.pk.name)}
    )


class _Written:
    """The SQL of a queryset, and how its rows are read. It outlives the connection that it was
    written for.
    """

    def __init__(self, queryset: QuerySet[Any, Any], connection: Any) -> None:
        query: Any = queryset.query
        compiler = query.get_compiler(connection=connection)
        self.sql, self.params = compiler.as_sql()
        self._locks = query.select_for_update and connection.features.has_select_for_update
        self._converters = tuple(_converters(compiler, connection.ops))
        self._row = _reader(queryset, compiler, connection.alias)

    def require_transaction(self, connection: Any) -> None:
        """Raise the error for locks outside a transaction, as Django does whenever it writes the
        SQL.
        """
        if self._locks and connection.get_autocommit():
            raise TransactionManagementError(
                "select_for_update cannot be used outside of a transaction."
            )

    def read(self, rows: Iterable[Sequence[Any]], connection: Any) -> list[Any]:
        converters = [
            (place, getattr(connection.ops, convert) if isinstance(convert, str) else convert, of)
            for place, convert, of in self._converters
        ]
        return [self._row(_converted(row, converters, connection)) for row in rows]


def _converters(compiler: Any, ops: Any) -> Iterator[tuple[int, Convert | str, Any]]:
    """Yield the place of a column, what converts its values, and the column itself. For a method of
    the connection's `ops`, yield only its name, because the method itself would keep the connection
    alive.
    """
    columns = [column for column, *_ in compiler.select]
    for place, (converters, column) in compiler.get_converters(columns).items():
        for convert in converters:
            is_own = getattr(convert, "__self__", None) is ops
            yield place, convert.__name__ if is_own else convert, column


def _converted(
    row: Sequence[Any], converters: Iterable[tuple[int, Convert, Any]], connection: Any
) -> Sequence[Any]:
    values = list(row)
    for place, convert, column in converters:
        values[place] = convert(values[place], column, connection)
    return values


def _reader(queryset: Any, compiler: Any, alias: str) -> Callable[[Sequence[Any]], Any]:
    """Return a function that turns a row into what the queryset would yield. Raise `TypeError` for
    kinds of rows that prepared queries don't support.
    """
    kind = queryset._iterable_class
    if issubclass(kind, ModelIterable):
        return _model_reader(compiler, alias)
    if issubclass(kind, FlatValuesListIterable):
        return lambda row: row[0]
    if issubclass(kind, NamedValuesListIterable):
        query = queryset.query
        return _maker(queryset._fields or [*query.values_select, *query.annotation_select])
    if issubclass(kind, ValuesListIterable):
        return tuple
    raise TypeError(f"a prepared query has no rows of a {kind.__name__}")


def _maker(names: Sequence[str]) -> Callable[[Sequence[Any]], Any]:
    row_type: Any = namedtuple  # mypy wants the names themselves.
    make: Callable[[Sequence[Any]], Any] = row_type("Row", names)._make
    return make


def _model_reader(compiler: Any, alias: str) -> Callable[[Sequence[Any]], Any]:
    info = compiler.klass_info
    first, last = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column.target.attname for column, *_ in compiler.select[first:last]]
    populators: Any = get_related_populators  # Its arguments vary with Django's version.
    related = populators(info, compiler.select, alias)
    annotations = (compiler.annotation_col_map or {}).items()

    def read(row: Sequence[Any]) -> Any:
        instance = info["model"].from_db(alias, names, row[first:last])
        for populator in related:
            populator.populate(row, instance)
        for name, place in annotations:
            setattr(instance, name, row[place])
        return instance

    return read

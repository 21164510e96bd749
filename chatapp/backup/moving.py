"""Copy every row of a SQLite database to PostgreSQL, and compare the rows, in one transaction."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from django.apps import apps
from django.core.management.color import no_style
from django.db import Error, connection, connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.models import Field, Model, QuerySet

from chatapp.databases.connection_settings import database

SOURCE = "sqlite"  # The name of the copied database among Django's connections.
BATCH = 2_000  # The most rows in memory at a time.
WHOLE = 1 << 256

if TYPE_CHECKING:  # Django's `Field` is not generic at run time.
    Fields = list[Field[Any, Any]]
Row = tuple[Any, ...]


class MoveFailed(Exception):
    """The rows cannot be copied; nothing has changed, and the message says which table and why."""


@dataclass(frozen=True, slots=True)
class Content:
    """A summary of a table's rows to compare: their number, and the sum of their hashes."""

    count: int = 0
    digest: int = 0

    def __add__(self, row: Row) -> "Content":
        text = json.dumps(row, sort_keys=True, default=_plain).encode()
        added = int.from_bytes(hashlib.sha256(text).digest())
        return Content(self.count + 1, (self.digest + added) % WHOLE)


def open_source(folder: Path) -> None:
    """Add the SQLite database of the data folder to Django's connections, as `SOURCE`."""
    settings = connections.configure_settings({"default": database(folder, "")})["default"]
    connections[SOURCE] = DatabaseWrapper(settings, SOURCE)


def move() -> Iterator[tuple[str, int]]:
    """Replace PostgreSQL's rows by those of `SOURCE`; yield each table and its number of rows.

    Raise `MoveFailed`. Nothing is committed before the last table has been yielded.
    """
    models = _models()
    with transaction.atomic():
        _empty(models)
        for model in models:
            table = model._meta.db_table
            try:
                yield table, _moved(model).count
            except (Error, psycopg.Error) as error:
                raise MoveFailed(f"{table}: {_without_rows(error)}") from error
        _finish(models)


def _models() -> list[type[Model]]:
    """Return the models that have a table of their own in both databases."""
    there = set(connections[SOURCE].introspection.table_names())
    every = apps.get_models(include_auto_created=True)
    return [each for each in every if not each._meta.proxy and each._meta.db_table in there]


def _empty(models: list[type[Model]]) -> None:
    """Delete the rows that migrations put into the tables, because the copy brings its own."""
    tables = ", ".join(_quoted(model._meta.db_table) for model in models)
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {tables} CASCADE")


def _moved(model: type[Model]) -> Content:
    fields = [each for each in model._meta.local_concrete_fields if not each.generated]
    sent_content = _sent(model, fields)
    content = Content()
    for row in _rows(model, fields, connection.alias):
        content += row
    if content != sent_content:
        raise MoveFailed(f"{model._meta.db_table}: what was stored differs from what was read.")
    return content


def _sent(model: type[Model], fields: "Fields") -> Content:
    columns = ", ".join(_quoted(str(field.column)) for field in fields)
    statement = f"COPY {_quoted(model._meta.db_table)} ({columns}) FROM STDIN"
    content = Content()
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in _rows(model, fields, SOURCE):
            pairs = zip(fields, row, strict=True)
            copy.write_row([field.get_db_prep_save(value, connection) for field, value in pairs])
            content += row
    return content


def _rows(model: type[Model], fields: "Fields", using: str) -> Iterator[Row]:
    rows: QuerySet[Any, Row] = (
        QuerySet(model, using=using).order_by().values_list(*(each.attname for each in fields))
    )
    return rows.iterator(chunk_size=BATCH)


def _finish(models: list[type[Model]]) -> None:
    """Check all foreign keys, let each sequence continue after the table's greatest id, and let
    PostgreSQL plan for the rows that it has now.
    """
    try:
        connection.check_constraints()
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)
            cursor.execute("ANALYZE")
    except Error as error:
        raise MoveFailed(_without_rows(error)) from error


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _plain(value: object) -> str:
    """Write a value that JSON cannot express, in the same way for both databases."""
    match value:
        case datetime():
            return str(value.timestamp())
        case bytes() | memoryview():
            return bytes(value).hex()
        case _:
            return str(value)


def _without_rows(error: Exception) -> str:
    """Return the database's message on an error, without the values that it quotes from rows."""
    cause = error.__cause__ if isinstance(error, Error) else error
    message = cause.diag.message_primary if isinstance(cause, psycopg.Error) else None
    return message or str(error)

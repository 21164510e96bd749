"""Data folders for app processes, each with a database in SQLite or on the tests' PostgreSQL."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg

from tests.patience import PATIENCE


def server() -> str:
    """Return the URL of the PostgreSQL that this test run uses; empty for SQLite. See
    tests/conftest.py.
    """
    return os.environ.get("DATABASE_URL", "")


def variables(folder: Path) -> dict[str, str]:
    """Return the environment variables that tell an app process where its data is."""
    named = {"DATABASE_URL": _url(folder).read_text()} if server() else {}
    return {"DATA_DIR": str(folder), **named}


def make(folder: Path) -> Path:
    """Make a data folder with an empty database."""
    folder.mkdir(exist_ok=True)
    if server():
        _create_database(folder)
    return folder


def copy(source: Path, target: Path) -> Path:
    """Copy a data folder with its database. Nobody may be connected to the database."""
    shutil.copytree(source, target)
    if server():
        _create_database(target, f"TEMPLATE {_name(_url(source).read_text())}")
    return target


def execute(folder: Path, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
    """Run an SQL statement without the app; `?` marks parameters. Return the rows, if any."""
    with _connection(folder) as connection:
        if server():
            statement = statement.replace("?", "%s")
        cursor = connection.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def _connection(folder: Path) -> Iterator[Any]:
    """Connect to the folder's database, and commit at the end of the block."""
    connection: Any
    if server():
        with psycopg.connect(_url(folder).read_text()) as connection:
            yield connection
        return
    connection = sqlite3.connect(folder / "vitrine.sqlite3", timeout=PATIENCE)
    connection.create_function("history_plain", 1, _plain, deterministic=True)
    connection.create_function("history_beginnings", 1, _beginnings, deterministic=True)
    try:
        with connection:
            yield connection
    finally:
        connection.close()


def _plain(text: str) -> str:
    """Return the form of a text in which the search index keeps it; SQL calls this function."""
    from history.services.search.letters import plain  # noqa: PLC0415 -- needs Django, as not every process here has

    return plain(text)


def _beginnings(text: str) -> str:
    from history.services.search.beginnings import beginnings  # noqa: PLC0415 -- needs Django, too

    return beginnings(text)


def _create_database(folder: Path, options: str = "") -> None:
    name = f"data_{uuid4().hex}"
    with psycopg.connect(server(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} {options}")
    _url(folder).write_text(urlsplit(server())._replace(path=f"/{name}").geturl())


def _url(folder: Path) -> Path:
    return folder / "database_url"


def _name(url: str) -> str:
    return urlsplit(url).path[1:]

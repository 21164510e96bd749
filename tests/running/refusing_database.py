"""Make a database refuse writes: another connection locks it, or its disk seems full."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg

from tests import data
from tests.servers import AppServer

TABLES = "history_conversation, history_message, django_session"


@contextmanager
def held(server: AppServer, tables: str = TABLES) -> Iterator[None]:
    """Lock the database against all writes; on PostgreSQL, even reading these tables must wait."""
    if data.server():
        with psycopg.connect(url_of(server)) as connection:
            connection.execute(f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE")
            yield
            connection.rollback()
    else:
        file = server.folder / "vitrine.sqlite3"
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")


def url_of(server: AppServer) -> str:
    return data.variables(server.folder)["DATABASE_URL"]


@contextmanager
def full(server: AppServer) -> Iterator[None]:
    """Make every write of the server fail at once: on SQLite no file may grow, as on a full disk;
    on PostgreSQL, transactions are read-only.
    """
    if data.server():
        _allow_writes(server, "off")
        yield
        _allow_writes(server, "on")
    else:
        assert server.process
        limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, limits[1]))
        yield
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)


def _allow_writes(server: AppServer, wanted: str) -> None:
    """Allow or forbid writes. Open connections are ended, since the setting is for new ones."""
    name = url_of(server).rpartition("/")[2]
    read_only = {"on": "off", "off": "on"}[wanted]
    with psycopg.connect(data.server(), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {read_only}")
        ends = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s"
        connection.execute(ends, [name])

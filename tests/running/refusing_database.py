"""A database that will not write: it is locked by somebody else, or its disk is full."""

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
    """Nobody else can write; on PostgreSQL nobody can even read these tables."""
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
    """Every write of the server fails at once: no file of it may grow, as on a full disk. On
    PostgreSQL its transactions may only read.
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
    """It holds for connections that are made anew."""
    name = url_of(server).rpartition("/")[2]
    read_only = {"on": "off", "off": "on"}[wanted]
    with psycopg.connect(data.server(), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {read_only}")
        ends = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s"
        connection.execute(ends, [name])

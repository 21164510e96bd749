"""A database that will not write: somebody else holds it."""

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

"""Allow one server per database, because it tells viewers of events from its own memory."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.core.management.base import CommandError
from django.db import connections

from chatapp.databases.patience import PatientConnection

logger = logging.getLogger(__name__)
SERVING = 0x56697472696E65  # The lock's number in the database: the letters of the name.
TAKEN = "Another Vitrine is already using the database in DATABASE_URL."
OTHERS = """SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
  AND application_name LIKE 'vitrine %%' AND application_name <> %s"""


_claim: "Claim | None" = None


class DatabaseTaken(CommandError):
    """The database already has a server."""


class Claim:
    """A PostgreSQL lock that ends with its connection; for SQLite, the folder's lock is enough.

    The connection is separate from the pool, but has the same name.
    """

    def __init__(self, name: str, give_up: Callable[[], None] = lambda: None) -> None:
        self.name = name
        self.give_up = give_up
        self.is_lost = False
        self._connection: PatientConnection | None = None

    def take(self) -> None:
        """Take the lock. Raise `DatabaseTaken`, or psycopg's error if the database is silent."""
        if _is_sqlite():
            return
        connection = PatientConnection.connect(**_address() | {"application_name": self.name})
        row = connection.execute("SELECT pg_try_advisory_lock(%s)", [SERVING]).fetchone()
        if row != (True,):
            connection.close()
            raise DatabaseTaken(TAKEN)
        self._connection = connection

    def keep(self) -> None:
        """Take the lock again if its connection was lost; give up if another server took it."""
        if self._connection is None or self.is_lost or self._holds(self._connection):
            return
        try:
            self.take()
            logger.warning("The lock on the database was lost, and is taken again.")
        except DatabaseTaken:
            self.is_lost = True
            self.give_up()

    @staticmethod
    def _holds(connection: PatientConnection) -> bool:
        try:
            connection.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    def release(self) -> None:
        if self._connection is not None:
            self._connection.close()


@contextmanager
def claim_database(name: str = "vitrine") -> Iterator[Claim]:
    """Claim the database. Raise CommandError if it is taken or does not answer."""
    global _claim  # noqa: PLW0603 -- the process has one
    claim = Claim(name)
    try:
        claim.take()
    except psycopg.Error as error:
        raise CommandError(f"The database in DATABASE_URL isn't responding: {error}") from error
    _claim = claim
    try:
        yield claim
    finally:
        _claim = None
        claim.release()


def keep_claim() -> None:
    """Keep this process's claim, or give up."""
    if _claim is not None:
        _claim.keep()


def others_serve(name: str) -> bool:
    """Whether another server is connected, for example one that has lost its claim."""
    if _is_sqlite():
        return False
    with connections["default"].cursor() as cursor:
        cursor.execute(OTHERS, [name])
        return bool(cursor.fetchone()[0])


def _is_sqlite() -> bool:
    return connections["default"].vendor == "sqlite"


def _address() -> dict[str, Any]:
    """Return the database's address, without the pool."""
    connection: Any = connections["default"].copy()
    options = connection.settings_dict["OPTIONS"]
    connection.settings_dict["OPTIONS"] = {k: v for k, v in options.items() if k != "pool"}
    return {**connection.get_connection_params(), "autocommit": True}

"""Allow only one server per database, because each sends viewers only its own events.

Servers that share their events through Redis share the lock; a server that does not is refused
while one of them holds it.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any

import psycopg
from django.core.management.base import CommandError
from django.db import connections

from chatapp.databases.patience import PatientConnection

logger = logging.getLogger(__name__)
SERVING = 0x56697472696E65  # The number of the lock in the database: the letters of "Vitrine".
PREPARING = SERVING + 1  # A server holds this lock while it migrates a database that it shares.
ALONE, SHARED = "pg_try_advisory_lock", "pg_try_advisory_lock_shared"
PREPARE_SECONDS = 300  # The longest wait for another server that migrates, in seconds.
TAKEN = """\
Another Vitrine is already using the database in DATABASE_URL.
Stop it first, or start this one with a database of its own in DATABASE_URL.
Several can share a database if REDIS_URL names the same Redis for each of them."""
NAMES = """SELECT DISTINCT application_name FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'vitrine %'"""


_claim: "Claim | None" = None


class DatabaseTaken(CommandError):
    """Another server already uses the database."""


class Claim:
    """A lock in PostgreSQL that ends with its connection. For SQLite, the folder's lock is enough.

    The connection is not one of the pool's, but has the same application name.
    """

    def __init__(
        self, name: str, give_up: Callable[[], None] = lambda: None, *, shared: bool = False
    ) -> None:
        self.name = name
        self.give_up = give_up
        self.is_shared = shared
        self.is_lost = False
        self._connection: PatientConnection | None = None

    def take(self) -> None:
        """Take the lock. Raise `DatabaseTaken`, or psycopg's error if the database is silent."""
        if _is_sqlite():
            return
        connection = PatientConnection.connect(**_address() | {"application_name": self.name})
        lock = SHARED if self.is_shared else ALONE
        row = connection.execute(f"SELECT {lock}(%s)", [SERVING]).fetchone()
        if row != (True,):
            connection.close()
            raise DatabaseTaken(TAKEN)
        self._connection = connection

    @contextmanager
    def preparing(self) -> Iterator[None]:
        """Hold a lock while preparing a shared database, so that servers do it one at a time."""
        if self._connection is None or not self.is_shared:
            yield
            return
        deadline = monotonic() + PREPARE_SECONDS
        while self._ask("pg_try_advisory_lock", PREPARING) != (True,):
            if monotonic() > deadline:
                raise CommandError("Another Vitrine is still preparing the database.")
            sleep(0.2)
        try:
            yield
        finally:
            self._ask("pg_advisory_unlock", PREPARING)

    def _ask(self, function: str, number: int) -> object:
        connection = self._connection
        return connection and connection.execute(f"SELECT {function}(%s)", [number]).fetchone()

    def keep(self) -> None:
        """Take the lock again if its connection was lost; `give_up` if another server took it."""
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
def claim_database(name: str = "vitrine", *, shared: bool = False) -> Iterator[Claim]:
    """Claim the database, alone or together with other servers that share it. Raise CommandError if
    it is taken or does not answer.
    """
    global _claim  # noqa: PLW0603 -- each process has one claim
    claim = Claim(name, shared=shared)
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
    """Keep this process's claim, or give up if another server took it."""
    if _claim is not None:
        _claim.keep()


def others_serve(name: str) -> bool:
    """Return whether another server is connected, for example one that has lost its claim."""
    return bool(serving() - {name})


def serving() -> frozenset[str]:
    """Return the names of all servers connected to this database; there are none for SQLite."""
    if _is_sqlite():
        return frozenset()
    with connections["default"].cursor() as cursor:
        cursor.execute(NAMES)
        return frozenset(name for (name,) in cursor.fetchall())


def _is_sqlite() -> bool:
    return connections["default"].vendor == "sqlite"


def _address() -> dict[str, Any]:
    """Return the connection parameters of the database, without those of the pool."""
    connection: Any = connections["default"].copy()
    options = connection.settings_dict["OPTIONS"]
    connection.settings_dict["OPTIONS"] = {k: v for k, v in options.items() if k != "pool"}
    return {**connection.get_connection_params(), "autocommit": True}

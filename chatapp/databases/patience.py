"""Limit how long the server's own statements may take on PostgreSQL.

Commands that people run, and migrations, have no limit.
"""

from time import monotonic
from typing import Any, Self

import psycopg
from django.db import connections

# Shorter than the wait for a connection, so that work that needs no locked row can go on.
LOCK_SECONDS = 3
CHECK_SECONDS = 2  # The limit for the pool's check that a connection is alive.
GRACE_SECONDS = 2  # The wait for the server's report that a statement took too long.
IDLE_SECONDS = 60  # In a transaction: after so long, the process that began it must be gone.


class PatientConnection(psycopg.Connection[Any]):
    """A connection that gives up on a server that does not respond.

    A frozen server does not time out by itself.
    """

    seconds = 15
    patience = 0.0  # If set, replaces `seconds` for one call.

    @classmethod
    def connect(cls, *arguments: Any, **options: Any) -> Self:
        """Set the limits after connecting, since a pooler may refuse them as start parameters."""
        connection = super().connect(*arguments, **options)
        limits = {
            "statement_timeout": cls.seconds,
            "lock_timeout": LOCK_SECONDS,
            "idle_in_transaction_session_timeout": IDLE_SECONDS,
        }
        connection.execute("; ".join(f"SET {name} = '{s}s'" for name, s in limits.items()))
        return connection

    def execute(self, *arguments: Any, **options: Any) -> Any:
        """Run the pool's check that a connection is alive; Django itself uses cursors."""
        self.patience = CHECK_SECONDS
        try:
            return super().execute(*arguments, **options)
        finally:
            self.patience = 0.0

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        # psycopg waits here for every answer, so all waits are limited in this one place. A server
        # that works reports a slow statement itself; `GRACE_SECONDS` lets its report come first.
        patience = self.patience or self.seconds + GRACE_SECONDS
        deadline = monotonic() + patience
        try:
            return super().wait(gen, interval, patience if timeout is None else timeout)
        except psycopg.OperationalError as error:
            if monotonic() < deadline:  # It answered, with an error of its own.
                raise
            # A late answer would be taken for the answer to the next statement.
            self.close()
            raise psycopg.OperationalError("the server does not answer") from error


def bound(seconds: int, name: str) -> None:
    """Limit every statement from here on; `name` is the application name of connections."""
    connection: Any = connections["default"]
    if connection.vendor != "postgresql":
        return
    # The pool's connections lack these limits, so a new pool is made from the settings below.
    connections.close_all()
    connection.close_pool()
    PatientConnection.seconds = seconds
    given = connection.settings_dict
    pool = {**given["OPTIONS"]["pool"], "connection_class": PatientConnection}
    given["OPTIONS"] = {**given["OPTIONS"], "application_name": name, "pool": pool}

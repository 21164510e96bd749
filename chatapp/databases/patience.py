"""Limit how long the server's own statements may take on PostgreSQL.

Commands that people run, and migrations, have no limit.
"""

from time import monotonic
from typing import Any, Self

import psycopg
from django.db import connections

# The longest wait for a lock, in seconds. It is shorter than the wait for a connection of the pool,
# so that work on other rows can go on.
LOCK_SECONDS = 3
CHECK_SECONDS = 2  # The longest that a check of a connection may take, in seconds.
GRACE_SECONDS = 2  # How much later the server may report that a statement was too slow.
# The longest pause in a transaction, in seconds. After a longer one, its process must be gone.
IDLE_SECONDS = 60


class PatientConnection(psycopg.Connection[Any]):
    """A connection that gives up when the server does not answer.

    A server that is frozen ends no statement by itself.
    """

    seconds = 15
    patience = 0.0  # Replaces `seconds` for the present call, unless it is 0.

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
        """Run a check of the connection, or another quick statement. Django itself uses cursors."""
        self.patience = CHECK_SECONDS
        try:
            return super().execute(*arguments, **options)
        finally:
            self.patience = 0.0

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        # psycopg waits here for every answer, so this one place limits all waits. A server that
        # works reports a slow statement by itself, and gets `GRACE_SECONDS` to do so first.
        patience = self.patience or self.seconds + GRACE_SECONDS
        deadline = monotonic() + patience
        try:
            return super().wait(gen, interval, patience if timeout is None else timeout)
        except psycopg.OperationalError as error:
            if monotonic() < deadline:  # The server did answer, with an error.
                raise
            # On an open connection a late answer would be taken for the next statement's.
            self.close()
            raise psycopg.OperationalError("the server does not answer") from error


def bound(seconds: int, name: str) -> None:
    """Limit every later statement to `seconds`; `name` is the connections' application name."""
    connection: Any = connections["default"]
    if connection.vendor != "postgresql":
        return
    # Connections in the pool lack these limits, so the settings below make a new pool.
    connections.close_all()
    connection.close_pool()
    PatientConnection.seconds = seconds
    settings_dict = connection.settings_dict
    pool = {**settings_dict["OPTIONS"]["pool"], "connection_class": PatientConnection}
    settings_dict["OPTIONS"] = {**settings_dict["OPTIONS"], "application_name": name, "pool": pool}

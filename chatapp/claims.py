"""One server for one database: it tells its viewers of events in its own memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandError
from django.db import Error, connections

SERVING = 0x56697472696E65  # The lock's number in the database; the letters of the name.


@contextmanager
def claim_database() -> Iterator[None]:
    """On PostgreSQL, by a lock that ends with its connection; a SQLite file lies in its folder.

    The connection is one beside the pool: it comes first, so it says why there is none.
    """
    if connections["default"].vendor == "sqlite":
        yield
        return
    connection = _connected()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [SERVING])
            if cursor.fetchone() != (True,):
                raise CommandError("Another Vitrine already serves the database of DATABASE_URL.")
        yield
    finally:
        connection.close()


def _connected() -> Any:
    connection: Any = connections["default"].copy()
    options = connection.settings_dict["OPTIONS"]
    connection.settings_dict["OPTIONS"] = {k: v for k, v in options.items() if k != "pool"}
    try:
        connection.ensure_connection()
    except Error as error:
        raise CommandError(f"The database of DATABASE_URL does not answer: {error}") from error
    return connection

"""Recognise errors of a database that cannot work at the moment: no bugs, and a retry may help."""

import sqlite3
from collections.abc import Iterator

from django.db import Error, InterfaceError, OperationalError
from django.utils.translation import gettext_lazy as _

from history.services.errors import Refused

SENTENCE = _("The database isn't available right now. Try again in a few seconds.")
RETRY_SECONDS = 5
SQLITE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_INTERRUPT,
}
HELD = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
# The database is read-only, or a transaction was idle for too long: psycopg calls both internal.
POSTGRESQL = {"25006", "25P03"}


class Unavailable(Refused):
    """The database cannot carry out a request at the moment."""

    status = 503

    def __init__(self) -> None:
        super().__init__("unavailable", str(SENTENCE))


def refusal_in(error: BaseException | None) -> BaseException | None:
    """Return the database's refusal that caused an error; None if no refusal caused it.

    A database refuses if it is locked, full, read-only, down, too slow, or has too many
    connections. A missing table is a bug, whatever class of error SQLite raises for it.
    """
    return next(filter(_is_refusal, _chain(error)), None)


def locked_in(error: BaseException | None) -> BaseException | None:
    """Return the refusal if another connection locks the SQLite file; then nothing was written."""
    refusal = refusal_in(error)
    code = getattr(refusal.__cause__, "sqlite_errorcode", 0) if refusal else 0
    return refusal if code & 0xFF in HELD else None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _is_refusal(error: BaseException) -> bool:
    if not isinstance(error, Error):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in SQLITE
    is_of_the_connection = isinstance(error, (OperationalError, InterfaceError))
    return is_of_the_connection or getattr(cause, "sqlstate", "") in POSTGRESQL

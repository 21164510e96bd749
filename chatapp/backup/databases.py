"""Copy the database while people chat, and restore such a copy while nobody does."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

# Debian and Ubuntu install most of PostgreSQL's programs here, not on the PATH.
INSTALLED = Path("/usr/lib/postgresql")
EMPTIED = ("--command=DROP SCHEMA public CASCADE", "--command=CREATE SCHEMA public")


class CopyFailed(Exception):
    """A copy cannot be made or restored; the message says why."""


def copy_to(path: Path) -> None:
    """Write a copy of the database in its present state, or raise `CopyFailed`."""
    if connection.vendor == "sqlite":
        _copy_sqlite(path)
    else:
        _postgresql("pg_dump", "--format=custom", "--compress=0", f"--file={path}")


def put_back(path: Path) -> None:
    """Replace the database by a copy, or raise `CopyFailed` and leave the database unchanged."""
    if connection.vendor == "sqlite":
        _put_back_sqlite(path)
    else:
        _put_back_postgresql(path)


def _copy_sqlite(path: Path) -> None:
    connection.ensure_connection()
    with closing(sqlite3.connect(path)) as copy:
        connection.connection.backup(copy)
        # With this journal mode, the copy is a single file, without -wal and -shm.
        copy.execute("PRAGMA journal_mode = DELETE")


def _put_back_sqlite(path: Path) -> None:
    """Replace the database file by a copy.

    All changes in the -wal file are moved into the old file first, so that the -wal file can be
    deleted.
    """
    _refuse_damaged(path)
    database = Path(connection.settings_dict["NAME"])
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    for ending in ("-wal", "-shm"):
        database.with_name(database.name + ending).unlink(missing_ok=True)
    path.chmod(0o600)
    path.replace(database)


def _refuse_damaged(path: Path) -> None:
    try:
        with closing(sqlite3.connect(path)) as copy:
            ((result,),) = copy.execute("PRAGMA quick_check(1)")
    except sqlite3.DatabaseError as error:
        raise CopyFailed(f"The database in it is damaged: {error}") from error
    if result != "ok":
        raise CopyFailed(f"The database in it is damaged: {result}")


def _put_back_postgresql(path: Path) -> None:
    """Restore the copy in one transaction: if something ends it early, nothing has changed.

    A copy has no statistics, without which PostgreSQL plans as if the tables were almost empty.
    """
    statements = path.with_suffix(".sql")
    only = ("--schema=public", "--no-owner", "--no-privileges")
    _run(_found("pg_restore"), *only, f"--file={statements}", str(path))
    connection.close()
    careful = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction")
    restoring = (*EMPTIED, f"--file={statements}", "--command=ANALYZE")
    _postgresql("psql", *careful, *restoring, "--output=/dev/null")


def _postgresql(program: str, *options: str) -> None:
    """Run one of PostgreSQL's programs on the database; other processes cannot see the password."""
    keywords = {option.keyword.decode() for option in Conninfo.get_defaults()}
    parameters: dict[str, Any] = connection.get_connection_params()
    address = {name: value for name, value in parameters.items() if name in keywords and value}
    password = str(address.pop("password", "")).replace("\\", "\\\\").replace(":", "\\:")
    with NamedTemporaryFile("w") as passwords:
        passwords.write(f"*:*:*:*:{password}\n")
        passwords.flush()
        conninfo = make_conninfo("", **address, passfile=passwords.name)
        _run(_found(program), f"--dbname={conninfo}", *options)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CopyFailed(done.stderr.strip())


def _found(program: str) -> str:
    """Return the program's path in the server's version, or else in the newest installed version.

    A newer program works with an older server, too.
    """
    folders = sorted(INSTALLED.glob("*/bin"), key=lambda path: int(path.parent.name.split(".")[0]))
    version: int = connection.pg_version  # type: ignore[attr-defined]  # Only PostgreSQL's connection has it.
    own = INSTALLED / str(version // 10_000) / "bin"
    paths = os.pathsep.join(map(str, [own, *reversed(folders)]))
    if executable := shutil.which(program, path=paths) or shutil.which(program):
        return executable
    raise CopyFailed(f"{program} was not found. Install PostgreSQL's client programs.")

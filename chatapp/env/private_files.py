"""Files that Vitrine makes for itself: the secret key of local mode, and files that only their
owner may read.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.utils import get_random_secret_key

DATABASE = "vitrine.sqlite3"
WRITTEN = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", "secret_key", "outbox.jsonl", "static")
FOR_OTHERS = 0o077


def kept_secret(path: Path) -> str:
    """Return the secret in the file, which the first start creates; only its owner may read it."""
    try:
        handle = private_file(path)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(handle, "w") as file:
        secret = get_random_secret_key()
        file.write(secret)
    return secret


def keep_private(database: Mapping[str, Any]) -> None:
    """Create SQLite's database file before SQLite does, because SQLite would let everybody read it.
    SQLite gives the same mode to the files that it adds beside this one. An existing file keeps its
    mode; a database in memory has no file.
    """
    is_sqlite = database["ENGINE"] == "django.db.backends.sqlite3"
    if is_sqlite and database["NAME"] != ":memory:":
        with suppress(FileExistsError):
            os.close(private_file(Path(database["NAME"])))


def private_file(path: Path) -> int:
    """Create a file that only its owner may read; return its descriptor. Raise FileExistsError."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def mend(folder: Path) -> list[str]:
    """Make files private that an older version left readable to others; return their names.

    This touches only the files that Vitrine writes, since the folder may contain others.
    """
    paths = [folder / name for name in WRITTEN if (folder / name).exists()]
    opened = [path for path in paths if path.stat().st_mode & FOR_OTHERS]
    for path in opened:
        path.chmod(path.stat().st_mode & ~FOR_OTHERS)
    return [path.name for path in opened]

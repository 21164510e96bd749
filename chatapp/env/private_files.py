"""Files that Vitrine makes for itself: the secret of local mode, and files only the owner may
read.
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
    """Return the secret in the file, created at the first start; only its owner may read it."""
    try:
        handle = private_file(path)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(handle, "w") as file:
        secret = get_random_secret_key()
        file.write(secret)
    return secret


def keep_private(database: Mapping[str, Any]) -> None:
    """Make SQLite's file before SQLite does, which would leave it open to all. SQLite gives the
    files that it puts next to it the same mode. An existing file keeps its mode; a database in
    memory has no file.
    """
    is_sqlite = database["ENGINE"] == "django.db.backends.sqlite3"
    if is_sqlite and database["NAME"] != ":memory:":
        with suppress(FileExistsError):
            os.close(private_file(Path(database["NAME"])))


def private_file(path: Path) -> int:
    """Create a file for its owner only; return its descriptor. Raise FileExistsError."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def mend(folder: Path) -> list[str]:
    """Restrict the files that an older version left open to others; return their names.

    This touches only files that Vitrine writes, since the folder may contain others.
    """
    found = [folder / name for name in WRITTEN if (folder / name).exists()]
    opened = [path for path in found if path.stat().st_mode & FOR_OTHERS]
    for path in opened:
        path.chmod(path.stat().st_mode & ~FOR_OTHERS)
    return [path.name for path in opened]

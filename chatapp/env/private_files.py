"""What Vitrine makes for itself: the secret of local mode, and files that no one else may read."""

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
    """The secret in the file, made at the first start; readable by its owner alone."""
    try:
        handle = private_file(path)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(handle, "w") as file:
        secret = get_random_secret_key()
        file.write(secret)
    return secret


def keep_private(database: Mapping[str, Any]) -> None:
    """Make SQLite's file before SQLite does, whose own would be open to all. The files that it puts
    beside this one get the same mode; one that is there already keeps its mode. One in memory has
    no file.
    """
    is_sqlite = database["ENGINE"] == "django.db.backends.sqlite3"
    if is_sqlite and database["NAME"] != ":memory:":
        with suppress(FileExistsError):
            os.close(private_file(Path(database["NAME"])))


def private_file(path: Path) -> int:
    """A new file's handle. Raises FileExistsError."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def mend(folder: Path) -> list[str]:
    """Close the files that an older version left open to others on this machine; their names.

    Only those that Vitrine writes: the folder may hold more.
    """
    found = [folder / name for name in WRITTEN if (folder / name).exists()]
    opened = [path for path in found if path.stat().st_mode & FOR_OTHERS]
    for path in opened:
        path.chmod(path.stat().st_mode & ~FOR_OTHERS)
    return [path.name for path in opened]

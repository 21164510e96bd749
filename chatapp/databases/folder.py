"""Allow only one server per data folder, because each sends viewers only its own events.

Servers that share their events through Redis may share a folder, but not with a server that does
not.
"""

import fcntl
from pathlib import Path
from typing import IO

from django.core.management.base import CommandError

TAKEN = "Another Vitrine is already running on the data in {}."


def claim_folder(folder: Path, way_out: str, *, shared: bool = False) -> IO[str]:
    """Take the folder's lock, held until the returned file closes. Raise CommandError if taken."""
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    lock = (folder / "serving.lock").open("w")
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise CommandError(f"{TAKEN.format(folder)}\n{way_out}") from error
    return lock

"""Make something once for all processes of a test run: the first one makes it, the others wait."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of the test run share."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@contextmanager
def made_once(thing: Path) -> Iterator[bool]:
    """Yield whether `thing` must still be made. Other processes wait until this block ends."""
    done = thing.with_name(f"{thing.name}.done")
    with thing.with_name(f"{thing.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield not done.exists()
        done.touch()

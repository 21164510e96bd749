"""What all processes of a run share: the first that needs it makes it, and the others wait."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return a folder for all processes of the run, or of this one if it is the only one."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@contextmanager
def made_once(thing: Path) -> Iterator[bool]:
    """Say whether it is still to be made, and let no other process go on before that is done."""
    done = thing.with_name(f"{thing.name}.done")
    with thing.with_name(f"{thing.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield not done.exists()
        done.touch()

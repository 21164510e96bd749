"""How long a test waits for what is sure to happen: longer, the slower this machine is.

No test has seconds of its own for that. A wait which ends well costs nothing by being allowed to be
long, so that nearly every one is `PATIENCE`; `seconds` is for bounds that have to be nearer.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

SLOWNESS = "TESTS_SLOWNESS"  # The variable by which other processes of the run inherit it.
QUIET = 0.5  # What the probe takes where the tests' seconds were chosen, if nothing else runs.
PROBE = "import django, httpx, pydantic"
UNCOMPILED = ("-B", "-X", f"pycache_prefix={os.devnull}")  # Else the first run is the slowest.


def seconds(quiet: float) -> float:
    """Return as many as correspond to these of a quiet machine."""
    return quiet * slowness()


def slowness() -> float:
    """Return from 1 to 6. It is measured once, when nothing of the run has begun."""
    if SLOWNESS not in os.environ:
        os.environ[SLOWNESS] = str(bounded(measured() / QUIET))
    return float(os.environ[SLOWNESS])


def bounded(factor: float) -> float:
    return min(max(factor, 1.0), 6.0)


def measured() -> float:
    """Return how many seconds a new process takes to import some libraries."""
    began = time.monotonic()
    subprocess.run([sys.executable, *UNCOMPILED, "-c", PROBE], check=True)
    return time.monotonic() - began


def eventually(found: Callable[[], Found]) -> Found:
    """Ask again and again until it's true, or patience is at its end. Return the last answer."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := found()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return answer


PATIENCE = seconds(90)

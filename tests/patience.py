"""Scale the waiting times of tests: a test waits longer on a slower machine.

No test has a waiting time of its own. A long limit costs nothing if the wait ends early, so nearly
every wait uses `PATIENCE`; `seconds` is for shorter limits.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

SLOWNESS = "TESTS_SLOWNESS"  # Hands the factor to the processes that the run starts.
# The probe's seconds on the quiet machine for which the tests' limits were chosen.
QUIET = 0.5
PROBE = "import django, httpx, pydantic"
# Without these options, the first measurement would fill caches that make later ones faster.
UNCOMPILED = ("-B", "-X", f"pycache_prefix={os.devnull}")


def seconds(quiet: float) -> float:
    """Convert seconds of the quiet machine to as much time on this machine."""
    return quiet * slowness()


def slowness() -> float:
    """Return how many times slower this machine is, from 1 to 6, measured once before the tests."""
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
    """Call `found` until its answer is true, or `PATIENCE` is over. Return the last answer."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := found()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return answer


PATIENCE = seconds(90)

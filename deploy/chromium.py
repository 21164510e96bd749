"""Find a Chromium for the browser tests, or install one where that is allowed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

from deploy import packages

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """A Chromium that really runs: the one that CHROMIUM names, or one on PATH, or Playwright's."""
    if named := os.environ.get("CHROMIUM"):
        return named if _runs(named) else sys.exit(f"CHROMIUM={named} does not run.")
    return next(filter(_runs, _candidates()), None)


def _candidates() -> Iterator[str]:
    yield from filter(None, map(shutil.which, NAMES))
    yield from _playwrights()


def install() -> str | None:
    """By the system's packages, else by Playwright. None where neither is allowed or works."""
    packages.install("chromium")
    if not find():
        packages.attempt([sys.executable, "-m", "playwright", "install", "chromium"])
    return find()


def _runs(path: str) -> bool:
    """Some systems ship a `chromium-browser` that only says which package to install."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _playwrights() -> list[str]:
    """Asked in a process of its own: Playwright leaves an event loop behind."""
    script = "import playwright.sync_api as p; q = p.sync_playwright().start(); "
    script += "print(q.chromium.executable_path); q.stop()"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()

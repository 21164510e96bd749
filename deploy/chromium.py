"""Find a Chromium for the browser tests, or install one if that is allowed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

from deploy import packages

LIGHT = "chromium-headless-shell"  # This variant without windows saves tests a third of the time.
NAMES = (LIGHT, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """Return a Chromium that runs: the one in CHROMIUM, or else one on PATH or Playwright's."""
    if program := os.environ.get("CHROMIUM"):
        return program if _runs(program) else sys.exit(f"CHROMIUM={program} does not run.")
    return next(filter(_runs, _candidates()), None)


def _candidates() -> Iterator[str]:
    yield from filter(None, map(shutil.which, NAMES))
    yield from _playwrights()


def install() -> str | None:
    """Install a Chromium with apt, else with Playwright; None if neither is allowed or works."""
    packages.install(LIGHT) or packages.install("chromium")
    if not find():
        packages.attempt([sys.executable, "-m", "playwright", "install", "chromium"])
    return find()


def _runs(path: str) -> bool:
    """Whether the program runs: some systems' `chromium-browser` only names a package to
    install.
    """
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _playwrights() -> list[str]:
    """Return the path of Playwright's Chromium. Ask in a separate process, because Playwright
    leaves an event loop behind.
    """
    script = "import playwright.sync_api as p; q = p.sync_playwright().start(); "
    script += "print(q.chromium.executable_path); q.stop()"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()

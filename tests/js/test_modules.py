import json
import os
import subprocess
import sys

import pytest

from deploy import chromium


@pytest.fixture(scope="module")
def browser() -> str:
    found = chromium.find()
    if not found and os.environ.get("CI") != "true":
        pytest.skip("there is no Chromium on this machine")
    return found or ""


def test_the_modules(browser):
    """In a process of its own: Playwright leaves an event loop in its thread."""
    command = [sys.executable, "-m", "tests.js.runner", browser]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    outcomes = json.loads(done.stdout) if done.returncode == 0 else {"runner": done.stderr}

    assert {name: error for name, error in outcomes.items() if error} == {}
    assert len(outcomes) >= 18

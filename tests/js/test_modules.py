import json
import subprocess
import sys


def test_the_modules(chromium_path):
    """The JavaScript tests run in another process, since Playwright leaves an event loop behind."""
    command = [sys.executable, "-m", "tests.js.runner", chromium_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    outcomes = json.loads(done.stdout) if done.returncode == 0 else {"runner": done.stderr}

    assert {name: error for name, error in outcomes.items() if error} == {}
    assert len(outcomes) >= 18

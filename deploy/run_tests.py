"""Every test. Those in a browser run in a process of their own and come last.

Playwright leaves an event loop running in its thread, which the database's tests refuse.
"""

import os
import subprocess
import sys

from deploy import chromium

NOT_RUN = """
!!! NOT RUN: the browser tests. No Chromium was found, and none could be installed.
!!! Install one (Debian, Ubuntu: apt-get install chromium), or say where it is: CHROMIUM=/path
"""


def main() -> int:
    browser = chromium.find() or chromium.install()
    codes = [pytest("tests", "--ignore=tests/browser", "--numprocesses=auto")]
    if not browser:
        print(NOT_RUN, file=sys.stderr, flush=True)
        codes.append(os.environ.get("CI") == "true")
    codes.append(pytest("tests/browser", CHROMIUM=browser or ""))
    return int(any(codes))


def pytest(*arguments: str, **variables: str) -> int:
    """Without the developer's .env: no test may depend on it or reach a real provider."""
    environment = os.environ | {"ENV_FILE": os.devnull} | variables
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

"""Every test. Those in a browser run in a process of their own and come last.

Playwright leaves an event loop running in its thread, which the database's tests refuse.
"""

import os
import subprocess
import sys

from deploy import chromium, postgresql

NO_CHROMIUM = """
!!! NOT RUN: the browser tests. No Chromium was found, and none could be installed.
!!! Install one (Debian, Ubuntu: apt-get install chromium), or say where it is: CHROMIUM=/path
"""
NO_POSTGRESQL = """
!!! NOT RUN: the tests on PostgreSQL. Its programs were not found, and could not be installed.
!!! Install version 15 or newer (Debian, Ubuntu: apt-get install postgresql).
"""
ON_POSTGRESQL = (
    "tests/agents",
    "tests/chatapp/inspector",
    "tests/chatapp/test_claims.py",
    "tests/chatapp/test_commands.py",
    "tests/history/models",
    "tests/history/services",
    "tests/history/test_context_command.py",
    "tests/running",
)
IN_PARALLEL = "--numprocesses=auto"


def main() -> int:
    codes = [pytest("tests", "--ignore=tests/browser", IN_PARALLEL), on_postgresql(), in_browser()]
    return int(any(codes))


def on_postgresql() -> int:
    """What touches the database, once more."""
    if not (postgresql.find() or postgresql.install()):
        return not_run(NO_POSTGRESQL)
    return pytest(*ON_POSTGRESQL, "--database=postgresql", IN_PARALLEL)


def in_browser() -> int:
    """Run in any case: without a Chromium they are skipped, one by one."""
    browser = chromium.find() or chromium.install()
    code = 0 if browser else not_run(NO_CHROMIUM)
    return pytest("tests/browser", CHROMIUM=browser or "") or code


def not_run(why: str) -> int:
    """Said loudly; a failure where all must run."""
    print(why, file=sys.stderr, flush=True)
    return int(os.environ.get("CI") == "true")


def pytest(*arguments: str, **variables: str) -> int:
    """Without the developer's .env: no test may depend on it or reach a real provider."""
    environment = os.environ | {"ENV_FILE": os.devnull} | variables
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

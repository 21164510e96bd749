"""Run every test. Those in a browser run last, in a process of their own.

Playwright leaves an event loop running in its thread, which the database's tests refuse. Failures
in any part are repeated at the end, where the last lines of a log show them.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

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
    "tests/agents/mcp/test_models.py",
    "tests/agents/test_overwriting.py",
    "tests/agents/test_versions.py",
    "tests/chatapp/accounts/test_hashing.py",
    "tests/chatapp/inspector",
    "tests/chatapp/databases/test_refusals.py",
    "tests/chatapp/databases/test_lock.py",
    "tests/chatapp/test_commands.py",
    "tests/faults",
    "tests/history/models",
    "tests/history/services",
    "tests/history/test_context_command.py",
    "tests/running/cluster",
    "tests/running/test_backup.py",
    "tests/running/test_bad_starts.py",
    "tests/running/test_crowds.py",
    "tests/running/test_deleting.py",
    "tests/running/test_faults.py",
    "tests/running/test_moving.py",
    "tests/running/test_postgresql_troubles.py",
    "tests/running/test_readiness.py",
    "tests/running/test_reconnecting.py",
    "tests/running/test_refusing_database.py",
    "tests/running/test_sending.py",
    "tests/running/test_two_servers.py",
    "tests/running/test_unstored_ends.py",
)  # What else runs the app uses the database the same way; `make postgresql` runs it all.
WITHOUT_WORDS = (
    "tests/history/services/explain",
    "tests/history/services/money",
    "tests/history/services/planning",
    "tests/history/services/settings",
    "tests/history/services/whatif",
)  # What could read a sentence: the core cannot import any. `make gibberish` runs it too.
PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
IN_PARALLEL = (
    f"--numprocesses={PROCESSORS + 1}",  # Tests of a running app wait for it.
    "--dist=worksteal",  # A file's tests mostly share a process, and the app it has started.
)
LINES_OF_A_FAILURE = 25


def main() -> int:
    """Run every part in any case, so that one run shows everything that fails."""
    with tempfile.TemporaryDirectory() as folder:
        reports = Path(folder)
        codes = [
            pytest("tests", "--ignore=tests/browser", *IN_PARALLEL, report=reports / "sqlite.xml"),
            pytest(*WITHOUT_WORDS, "--gibberish", *IN_PARALLEL, report=reports / "gibberish.xml"),
            on_postgresql(reports / "postgresql.xml"),
            in_browser(reports / "browser.xml"),
        ]
        for report in sorted(reports.iterdir()):
            for line in failures(report):
                print(line, file=sys.stderr)
    return int(any(codes))


def on_postgresql(report: Path) -> int:
    """Repeat what uses the database."""
    if not (postgresql.find() or postgresql.install()):
        return not_run(NO_POSTGRESQL)
    return pytest(*ON_POSTGRESQL, "--database=postgresql", *IN_PARALLEL, report=report)


def in_browser(report: Path) -> int:
    """Run in any case: without a Chromium they are skipped, one by one."""
    browser = chromium.find() or chromium.install()
    code = 0 if browser else not_run(NO_CHROMIUM)
    return pytest("tests/browser", *IN_PARALLEL, report=report, CHROMIUM=browser or "") or code


def not_run(why: str) -> int:
    """Report it clearly; it is a failure if everything must run."""
    print(why, file=sys.stderr, flush=True)
    return int(os.environ.get("CI") == "true")


def pytest(*arguments: str, report: Path, **variables: str) -> int:
    """Run without the developer's .env: no test may depend on it or reach a real provider.

    Whatever is set here, Python keeps what it compiles: hundreds of processes import the same.
    """
    environment = os.environ | {"ENV_FILE": os.devnull, "PYTHONDONTWRITEBYTECODE": ""} | variables
    command = [sys.executable, "-m", "pytest", *arguments, f"--junitxml={report}"]
    return subprocess.run(command, env=environment, check=False).returncode


def failures(report: Path) -> Iterator[str]:
    """Yield each test that failed, with the last lines of its output."""
    for case in ElementTree.parse(report).iter("testcase"):
        for outcome in (*case.iterfind("failure"), *case.iterfind("error")):
            said = (outcome.text or outcome.get("message") or "").splitlines()[-LINES_OF_A_FAILURE:]
            yield f"\nFAILED ({report.stem}) {case.get('classname')}::{case.get('name')}"
            yield from said


if __name__ == "__main__":
    sys.exit(main())

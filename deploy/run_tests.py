"""Run the daily tests, or with `--all` every test: `make test`, `make test-all`.

Browser tests run last, in a process of their own: Playwright leaves an event loop running in its
thread, and the database's tests refuse that. At the end the program lists the failed, unsteady and
omitted tests of all parts, where the last lines of a log show them.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
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
    "tests/chatapp/generation/test_refusals.py",
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
)  # Other tests of the running app do not depend on the database; `make postgresql` runs them.
DAILY_ON_POSTGRESQL = (
    "tests/agents/mcp/test_models.py",
    "tests/agents/test_overwriting.py",
    "tests/chatapp/accounts/test_hashing.py",
    "tests/chatapp/databases/test_refusals.py",
    "tests/chatapp/databases/test_lock.py",
    "tests/chatapp/generation/test_refusals.py",
    "tests/history/models",
    "tests/history/services",
    "--ignore=tests/history/services/explain",
    "--ignore=tests/history/services/imports/test_malformed.py",
    "--ignore=tests/history/services/wire",
    "--ignore=tests/history/services/whatif",
    "tests/running/cluster",
    "tests/running/test_deleting.py",
    "tests/running/test_moving.py",
    "tests/running/test_reconnecting.py",
    "tests/running/test_refusing_database.py",
    "tests/running/test_two_servers.py",
)
WITHOUT_WORDS = (
    "tests/history/services/explain",
    "tests/history/services/wire",
    "tests/history/services/planning",
    "tests/history/services/settings",
    "tests/history/services/whatif",
)  # Tests of code that could read sentences. `make gibberish` runs them with meaningless sentences.
PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
IN_PARALLEL = (
    f"--numprocesses={PROCESSORS + 1}",  # More than processors, as tests wait for the app.
    "--dist=loadfile",  # All tests of a file share one process, and the app that it has started.
)
UNSTEADY = ("--max-suite-reruns=20",)  # With so many repetitions something is broken, not unsteady.
MOST_SECONDS = 3_600  # The limit of one part: a part that takes longer hangs.
LAST_SECONDS = 60
LINES_OF_A_FAILURE = 25
ENDED = 124  # The exit code of timeout(1) after a timeout.
MEANINGS = {1: "tests failed", ENDED: f"it was ended after {MOST_SECONDS} s"}


class Run:
    """One run of all parts. Each part leaves a report of pytest and a list of tests in the
    folder.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        self._folder = folder
        self._options = (*IN_PARALLEL, *UNSTEADY, *options)
        self._codes: dict[str, int] = {}

    def part(self, name: str, *arguments: str, **variables: str) -> int:
        """Run a part of the tests; return its exit code."""
        began = time.monotonic()
        told = f"--told={self._folder / name}.txt"
        report = self._folder / f"{name}.xml"
        code = pytest(*arguments, *self._options, told, report=report, **variables)
        print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
        self._codes[name] = code
        return code

    def on_postgresql(self, *tests: str) -> int:
        """Run the tests that use the database again, on PostgreSQL."""
        if not (postgresql.find() or postgresql.install()):
            return not_run(NO_POSTGRESQL)
        return self.part("postgresql", *tests, "--database=postgresql")

    def in_browser(self) -> int:
        """Run the browser tests, even without a Chromium: pytest then skips each of them."""
        browser = chromium.find() or chromium.install()
        code = 0 if browser else not_run(NO_CHROMIUM)
        return self.part("browser", "tests/browser", CHROMIUM=browser or "") or code

    def said(self) -> Iterator[str]:
        """Yield the unsteady and the omitted tests, then the failures."""
        for told in sorted(self._folder.glob("*.txt")):
            for line in told.read_text().splitlines():
                yield f"({told.stem}) {line}"
        for report in sorted(self._folder.glob("*.xml")):
            yield from failures(report)
        for name, code in self._codes.items():
            if code:
                yield f"\n{name} failed, with code {code}: {MEANINGS.get(code, 'see above')}."


def main() -> int:
    """Run every part, even after a failure, so that one run shows everything that fails."""
    parser = argparse.ArgumentParser(prog="python -m deploy.run_tests")
    parser.add_argument("--all", action="store_true", help="run what make test leaves out, too")
    is_all = parser.parse_args().all
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)  # The parent may have ignored it.
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), f"--suite={'all' if is_all else 'daily'}")
        codes = [run.part("sqlite", "tests", "--ignore=tests/browser")]
        if is_all:
            codes.append(run.part("gibberish", *WITHOUT_WORDS, "--gibberish"))
        codes.append(run.on_postgresql(*(ON_POSTGRESQL if is_all else DAILY_ON_POSTGRESQL)))
        codes.append(run.in_browser())
        for line in run.said():
            print(line, file=sys.stderr)
    return int(any(codes))


def not_run(why: str) -> int:
    """Report why a part was not run. Return 1, a failure, if everything must run (in CI), else
    0.
    """
    print(why, file=sys.stderr, flush=True)
    return int(os.environ.get("CI") == "true")


def pytest(*arguments: str, report: Path, **variables: str) -> int:
    """Run pytest without the developer's .env: no test may depend on it or reach a real provider.

    Python keeps its compiled modules, because hundreds of test processes import the same ones.
    """
    environment = os.environ | {"ENV_FILE": os.devnull, "PYTHONDONTWRITEBYTECODE": ""} | variables
    command = [sys.executable, "-m", "pytest", *arguments, f"--junitxml={report}"]
    with subprocess.Popen(command, env=environment, start_new_session=True) as process:
        try:
            return process.wait(MOST_SECONDS)
        except subprocess.TimeoutExpired:
            return ENDED
        finally:
            end_all(process)


def end_all(process: subprocess.Popen[bytes]) -> None:
    """End pytest and all that it started. Interrupt it first, so that it can still report."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(LAST_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def failures(report: Path) -> Iterator[str]:
    """Yield each test that failed, with the last lines of its output."""
    if not report.exists():
        return  # The run was ended before it wrote a report.
    for case in ElementTree.parse(report).iter("testcase"):
        for outcome in (*case.iterfind("failure"), *case.iterfind("error")):
            said = (outcome.text or outcome.get("message") or "").splitlines()[-LINES_OF_A_FAILURE:]
            yield f"\nFAILED ({report.stem}) {case.get('classname')}::{case.get('name')}"
            yield from said


if __name__ == "__main__":
    sys.exit(main())

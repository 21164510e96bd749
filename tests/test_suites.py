"""Pytest runs the right tests of a suite, repeats those that may be repeated, and reports them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.machine
ROOT = Path(__file__).resolve().parent.parent
CONFTEST = """
from pathlib import Path
from tests import suites
from tests.suites import *
suites.FOLDER = Path(__file__).parent
"""
HERE = """
import pytest
from hypothesis import given, settings, strategies
def test_plain(): pass
@pytest.mark.whole
def test_long(): pass
@pytest.mark.whole("b")
@pytest.mark.parametrize("case", ["a", "b"])
def test_table(case): pass
@given(strategies.integers())
def test_property(number):
    assert settings().max_examples == 25
"""
RUNNING = """
import pytest
def test_plain(): pass
@pytest.mark.daily
def test_first(): pass
@pytest.mark.daily("a")
@pytest.mark.parametrize("case", ["a", "b"])
def test_table(case): pass
"""
DAILY_FILE = """
import pytest
pytestmark = pytest.mark.daily
def test_plain(): pass
@pytest.mark.whole
def test_long(): pass
"""
FAILS_ONCE = """
from pathlib import Path
from hypothesis import given, settings, strategies
import pytest
def once(name):
    seen = Path(__file__).with_name(name)
    if not seen.exists():
        seen.touch()
        raise AssertionError("the first time")
def test_first(): once("first")
def test_skipped():
    once("skipped")
    pytest.skip("the second time")
@settings(database=None)
@given(strategies.none())
def test_property(nothing): once("property")
"""


@pytest.fixture
def run(tmp_path):
    """Return a function that writes test files and runs pytest: output and exit code."""
    (tmp_path / "conftest.py").write_text(CONFTEST)

    def run(files, *options):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        told = tmp_path / "told"
        plain = ["-p", "no:django", "-p", "no:asyncio", "-c", os.devnull, "--rootdir=."]
        command = [sys.executable, "-m", "pytest", "-v", *plain, f"--told={told}", *options]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        return done, told.read_text() if told.exists() else ""

    return run


FILES = {
    "test_here.py": HERE,
    "running/test_there.py": RUNNING,
    "running/test_daily.py": DAILY_FILE,
}
DAILY = {
    "test_here.py::test_plain",
    "test_here.py::test_table[a]",
    "test_here.py::test_property",
    "running/test_there.py::test_first",
    "running/test_there.py::test_table[a]",
    "running/test_daily.py::test_plain",
}


@pytest.mark.parametrize("processes", ["0", "2"])
def test_the_closest_mark_decides_and_what_is_left_is_counted(run, processes):
    done, told = run(FILES, "--suite=daily", "-n", processes)

    assert {line for line in DAILY if line not in done.stdout} == set()
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout
    assert told == "5 tests are left to make test-all.\n"


def test_without_a_suite_nothing_is_left(run):
    done, told = run({**FILES, "test_here.py": HERE.replace("25", "100")})

    assert "11 passed" in done.stdout
    assert told == ""


@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_mark_for_a_case_that_is_gone_is_refused(run, processes):
    gone = RUNNING.replace('daily("a")', 'daily("c")')
    done, _ = run({"running/test_there.py": gone}, "--suite=daily", "-n", processes)

    assert done.returncode != 0
    assert "lacks: {'c'}" in done.stdout + done.stderr


@pytest.mark.parametrize("processes", ["0", "2"])
def test_only_what_may_fail_for_the_machine_is_repeated_and_that_is_told(run, processes):
    done, told = run(
        {"running/test_it.py": FAILS_ONCE, "test_that.py": FAILS_ONCE}, "-n", processes
    )

    assert "4 failed, 1 passed, 1 skipped, 2 rerun" in done.stdout
    assert {line for line in told.splitlines() if not line.startswith(" ")} == {
        "unsteady: running/test_it.py::test_first, 2 of 3",
        "unsteady: running/test_it.py::test_skipped, 2 of 3",
    }
    assert told.count("AssertionError: the first time") == 2

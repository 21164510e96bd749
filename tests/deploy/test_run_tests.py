"""The test runner runs each test on the right databases, and repeats the failures at the end."""

import signal
from pathlib import Path

import pytest

from deploy import run_tests
from deploy.run_tests import DAILY_ON_POSTGRESQL, ON_POSTGRESQL, failures
from tests.patience import seconds

ROOT = Path(__file__).resolve().parents[2]
PLAIN = ("--quiet", "-p", "no:django", "-p", "no:asyncio", "-c", "/dev/null")
ONLY_THERE = "skipif(not data." + "server()"

TESTS = """
import pytest

def test_holds(): pass
def test_fails(): assert "this" == "that"

@pytest.fixture
def broken(): raise LookupError("no such thing")
def test_has_no_ground(broken): pass
"""


def test_names_each_failure_and_each_error_with_its_last_words(tmp_path: Path) -> None:
    (tmp_path / "test_three.py").write_text(TESTS)
    report = tmp_path / "sqlite.xml"

    code = run_tests.pytest(str(tmp_path), *PLAIN, f"--rootdir={tmp_path}", report=report)

    said = list(failures(report))
    assert code == 1
    assert [line.split("::")[-1] for line in said if line.startswith("\nFAILED (sqlite)")] == [
        "test_fails",
        "test_has_no_ground",
    ]
    assert any("LookupError: no such thing" in line for line in said)
    assert any("this" in line and "that" in line for line in said)


def test_a_part_that_hangs_is_ended_and_says_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_it.py").write_text("import time\ndef test_hangs(): time.sleep(600)\n")
    monkeypatch.setattr(run_tests, "MOST_SECONDS", seconds(5))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # `main` does this, too.

    code = run_tests.pytest(
        str(tmp_path), *PLAIN, f"--rootdir={tmp_path}", report=tmp_path / "it.xml"
    )
    signal.signal(signal.SIGINT, before)

    assert code == run_tests.ENDED
    assert "test_it.py:2: KeyboardInterrupt" in capfd.readouterr().out


def test_what_only_postgresql_can_show_is_run_there() -> None:
    marked = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if ONLY_THERE in path.read_text()
    ]

    assert marked
    assert not [file for file in marked if not file.startswith(ON_POSTGRESQL)]
    daily = [file for file in marked if has_daily_ones(file)]
    assert not [file for file in daily if not file.startswith(DAILY_ON_POSTGRESQL)]


def has_daily_ones(file: str) -> bool:
    """Whether `make test` runs any test of the file; `tests/suites.py` explains the marks."""
    text = (ROOT / file).read_text()
    in_running = file.startswith("tests/running")
    return "mark.daily" in text if in_running else "mark.whole" not in text

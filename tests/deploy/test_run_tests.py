"""Which tests run on which database, and that failures are repeated at the end."""

from pathlib import Path

from deploy.run_tests import ON_POSTGRESQL, failures, pytest

ROOT = Path(__file__).resolve().parents[2]
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

    code = pytest(str(tmp_path), "--quiet", "-p", "no:django", "--confcutdir", str(tmp_path),
                  f"--rootdir={tmp_path}", "-c", "/dev/null", report=report)  # fmt: skip

    said = list(failures(report))
    assert code == 1
    assert [line.split("::")[-1] for line in said if line.startswith("\nFAILED (sqlite)")] == [
        "test_fails",
        "test_has_no_ground",
    ]
    assert any("LookupError: no such thing" in line for line in said)
    assert any("this" in line and "that" in line for line in said)


def test_what_only_postgresql_can_show_is_run_there() -> None:
    marked = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if ONLY_THERE in path.read_text()
    ]

    assert marked
    assert not [file for file in marked if not file.startswith(ON_POSTGRESQL)]

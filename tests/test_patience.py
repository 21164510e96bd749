"""Tests wait as long as this machine needs, and no test sets a waiting time of its own."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests import patience

TESTS = Path(__file__).parent
WAITS = {"wait_for", "timeout", "join", "wait", "result", "settimeout", "create_connection"}
OPTIONS = {"timeout", "patience", "open_timeout", "ping_timeout", "close_timeout"}
EXCEPTIONS = {
    ("agents/mcp/test_session.py", "child_config"): "what is tested is the app's own limit",
    ("agents/mcp/test_session.py", "replace"): "what is tested is the app's own limit",
    ("running/test_mcp.py", "configure"): "what is tested is the app's own limit",
}


@pytest.mark.parametrize(("took", "factor"), [(0.01, 1), (0.5, 1), (1.0, 2), (3.0, 6), (60.0, 6)])
def test_it_is_from_one_to_six(monkeypatch, took, factor):
    monkeypatch.delenv(patience.SLOWNESS)
    monkeypatch.setattr(patience, "measured", lambda: took)

    assert patience.slowness() == factor
    assert patience.seconds(30) == 30 * factor


def test_it_is_measured_once(monkeypatch):
    once = iter([1.5])
    monkeypatch.delenv(patience.SLOWNESS)
    monkeypatch.setattr(patience, "measured", lambda: next(once))

    assert [patience.slowness() for _ in range(3)] == [3, 3, 3]


def test_other_processes_inherit_it(monkeypatch):
    monkeypatch.setenv(patience.SLOWNESS, "2.5")
    command = [sys.executable, "-c", "from tests.patience import seconds; print(seconds(4))"]
    said = subprocess.run(command, cwd=TESTS.parent, stdout=subprocess.PIPE, check=True)

    assert float(said.stdout) == 10


def test_the_first_answer_that_is_true_is_returned():
    answers = iter([0, None, "found", "too late"])

    assert patience.eventually(lambda: next(answers)) == "found"


def test_without_one_the_last_answer_is_returned(monkeypatch):
    monkeypatch.setattr(patience, "PATIENCE", 0)

    assert patience.eventually(list) == []


def test_no_wait_has_seconds_of_its_own():
    found = {(file, ast.unparse(of)): f"{file}:{of.lineno}" for file, of in own_seconds()}

    assert [place for key, place in found.items() if key not in EXCEPTIONS] == []
    assert found.keys() >= EXCEPTIONS.keys()  # An unused exception must be removed.


def own_seconds():
    """Yield each wait whose number of seconds is written in a test: its file, and its AST node."""
    for file in TESTS.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and any(map(is_long, waited(node))):
                yield file.relative_to(TESTS).as_posix(), node.func
            if isinstance(node, ast.BinOp) and is_long(node.right) and is_now(node.left):
                yield file.relative_to(TESTS).as_posix(), node


def waited(call):
    """Return a call's arguments that may be a number of seconds."""
    is_wait = isinstance(call.func, ast.Attribute) and call.func.attr in WAITS
    return [*(call.args if is_wait else ()), *(k.value for k in call.keywords if k.arg in OPTIONS)]


def is_long(node):
    return isinstance(node, ast.Constant) and type(node.value) in {int, float} and node.value >= 2


def is_now(node):
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("monotonic")

"""Every test that the documents name exists; the tables list every fault and every limit."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from chatapp.env.variables import VARIABLES

ROOT = Path(__file__).resolve().parent.parent
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
FAULT = re.compile(r"^\| (\d+) \| [^|]+ \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
FAULTS = 119


def written(document: str) -> str:
    return (ROOT / "docs" / document).read_text()


@cache
def functions_of(file: str) -> set[str]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.parse((ROOT / file).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, functions)}


@pytest.mark.parametrize("document", ["reliability.md", "security.md"])
def test_every_test_that_is_named_exists(document):
    named = NAMED.findall(written(document))
    gone = [f"{file}::{name}" for file, name in named if name not in functions_of(file)]
    assert named
    assert not gone


def test_every_fault_has_one_row_with_a_test_or_the_words_not_yet():
    rows = FAULT.findall(written("reliability.md"))
    unshown = [
        number
        for number, shown in rows
        if not (NAMED.search(shown) or "not yet" in shown or "`make check`" in shown)
    ]
    assert [int(number) for number, _ in rows] == list(range(1, FAULTS + 1))
    assert not unshown


@pytest.mark.parametrize(
    "variable", [each for each in VARIABLES if each.group == "Limits"], ids=lambda each: each.name
)
def test_every_limit_has_its_row_with_its_defaults(variable):
    local = variable.default if variable.local is None else variable.local
    cells = [f"`{variable.name}`", variable.default, local]
    row = "".join(f"| {cell} " if cell else "| " for cell in cells)
    assert f"\n{row}|" in written("security.md")

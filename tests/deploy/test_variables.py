"""A variable of the app is named by a noun."""

from pathlib import Path

import pytest

from deploy.variables import SENTENCES, participles, participles_of_script


@pytest.mark.parametrize(
    "text",
    [
        "found = 1",
        "found: int = 1",
        "for found in []: pass",
        "with open('x') as found: pass",
        "if found := 1: pass",
        "[found for found in []]",
        "def rows(found): pass",
        "def rows(*, found=1): pass",
        "rows = lambda found: 1",
        "class Row:\n    def name(self, found): pass",
    ],
)
def test_a_variable_that_is_called_by_a_participle_is_found(text):
    line = text.count("\n") + 1
    complaint = f"line {line} calls a variable 'found': say what it holds by a noun"
    assert list(participles(Path("chatapp/rows.py"), text)) == [complaint]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("found_rows = 1", id="before a noun"),
        pytest.param("class Rows:\n    found: int\n    sent = 1", id="an attribute of a class"),
        pytest.param("rows.found = rows.sent", id="an attribute that is set"),
        pytest.param("rows(found=1)", id="an argument of another's function"),
    ],
)
def test_other_names_are_fine(text):
    assert list(participles(Path("chatapp/rows.py"), text)) == []


def test_a_sentence_takes_figures_under_the_names_they_are_stored_with():
    path, text = SENTENCES / "reasons.py", "def lost(kept, found):\n    said = kept"
    assert list(participles(path, text)) == [
        "line 2 calls a variable 'said': say what it holds by a noun"
    ]


@pytest.mark.parametrize(
    "text",
    ["const found = 1;", "let found;", "for (const found of rows) show(found);"],
)
def test_a_scripts_variable_that_is_called_by_a_participle_is_found(text):
    complaint = "line 2 calls a variable 'found': say what it holds by a noun"
    assert list(participles_of_script(Path("static/js/rows.js"), f"\n{text}")) == [complaint]


@pytest.mark.parametrize("text", ["const foundRows = 1;", "rows.found = 1;", "show({ found: 1 });"])
def test_other_names_in_scripts_are_fine(text):
    assert list(participles_of_script(Path("static/js/rows.js"), text)) == []

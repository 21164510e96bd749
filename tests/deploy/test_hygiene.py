"""Folders and files stay small enough to find one's way in, and docstrings are sentences."""

from pathlib import Path

import pytest

from deploy.hygiene import LONGEST, LONGEST_TESTS, MOST_MODULES, complaints, docstrings, rooms


def modules(folder, count):
    return [f"{folder}/__init__.py", *(f"{folder}/module_{n}.py" for n in range(count))]


@pytest.mark.parametrize(
    ("names", "complaints"),
    [
        pytest.param(modules("chatapp/llm", MOST_MODULES), [], id="a full room"),
        pytest.param(
            modules("history/core/plan", MOST_MODULES + 1),
            ["history/core/plan: holds 16 modules; 15 is the most: part it"],
            id="a room with too many",
        ),
        pytest.param(modules("tests/running", 40), [], id="tests"),
        pytest.param(["chatapp/settings.py", "chatapp/urls.py"], [], id="the project's own"),
        pytest.param(
            ["chatapp/views.py"],
            ["chatapp/views.py: belongs in one of the rooms of chatapp"],
            id="a module beside the rooms",
        ),
    ],
)
def test_what_is_said_of_the_rooms(names, complaints):
    assert list(rooms(names)) == complaints


@pytest.mark.parametrize(
    ("name", "longest"),
    [
        ("chatapp/urls.py", LONGEST),
        ("static/js/page.js", LONGEST),
        ("static/css/page.css", LONGEST),
        ("tests/deploy/test_hygiene.py", LONGEST_TESTS),
        ("tests/js/page.test.js", LONGEST_TESTS),
    ],
)
def test_a_file_has_a_longest_length(name, longest, tmp_path, monkeypatch):
    root = tmp_path / "tests"  # The name of the outermost folder does not matter.
    monkeypatch.setattr("deploy.hygiene.ROOT", root)
    file = root / name
    file.parent.mkdir(parents=True)

    file.write_text("\n" * longest)
    assert list(complaints(file)) == []
    file.write_text("\n" * (longest + 1))
    assert list(complaints(file)) == [
        f"{name}: has {longest + 1} lines; {longest} is the most: split it"
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param('"""Of a request."""', ["Of a request."], id="of a module"),
        pytest.param('def f():\n    """As if old."""', ["As if old."], id="of a function"),
        pytest.param('class A:\n    """Byte order."""', [], id="a word that begins alike"),
        pytest.param('"""Offers."""\nA = "With a text that is no docstring"', [], id="a text"),
    ],
)
def test_a_docstring_begins_a_sentence(text, found):
    begins = "has a docstring that begins in mid-sentence: "
    assert list(docstrings(Path("a.py"), text)) == [begins + line for line in found]

"""Rules for the repository itself: imports, locks, vendored files, and our own checks."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

from chatapp.env import ROOT
from deploy import hygiene, vendor

APP = [
    path for package in ("chatapp", "history", "agents") for path in (ROOT / package).rglob("*.py")
]
LOCKS = sorted((ROOT / "deploy").glob("requirements*.txt"))
PIN = re.compile(r"^([a-z0-9._-]+)==(\S+)", re.MULTILINE)


@cache
def modules(path: Path) -> set[str]:
    """Return the modules that a file imports, even inside its functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(str(node.module))
    return found


def imported(path: Path) -> set[str]:
    """Return the top-level packages that a file imports."""
    return {name.split(".")[0] for name in modules(path)}


def touches_the_environment(path: Path) -> bool:
    return any(
        isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "putenv"}
        for node in ast.walk(ast.parse(path.read_text()))
    )


@pytest.mark.parametrize(
    ("package", "allowed"),
    [
        ("tiktoken", {"history/tokens/encodings.py"}),
        ("openai", {"chatapp/llm/litellm_internals.py"}),
    ],
)
def test_one_file_per_outside_thing(package, allowed):
    importers = {path.relative_to(ROOT).as_posix() for path in APP if package in imported(path)}

    assert importers <= allowed


def test_one_file_knows_what_litellm_does_not_document():
    litellm = {"chatapp/llm/litellm_setup.py"}
    importers = {
        path.relative_to(ROOT).as_posix(): {
            m for m in modules(path) if m.split(".")[0] == "litellm"
        }
        for path in APP
    }
    inner = importers.pop("chatapp/llm/litellm_internals.py")

    assert {path for path, names in importers.items() if names} == litellm
    assert {name for names in importers.values() for name in names} == {"litellm"}
    assert "litellm" not in inner


def test_the_core_imports_the_standard_library_alone():
    core = {name for path in APP if "core" in path.parts for name in imported(path)}

    assert core - sys.stdlib_module_names == {"history"}


def test_comments_of_templates_end_on_their_line():
    """Django would show a comment of several lines on the page."""
    pages = {path: path.read_text().splitlines() for path in (ROOT / "templates").rglob("*.html")}

    assert [
        (path.name, line)
        for path, lines in pages.items()
        for line in lines
        if line.count("{#") != line.count("#}")
    ] == []


def test_one_file_reads_the_environment():
    readers = {path.relative_to(ROOT).as_posix() for path in APP if touches_the_environment(path)}

    assert readers == {"chatapp/env/__init__.py"}


def pins(lock: Path) -> dict[str, str]:
    return dict(PIN.findall(lock.read_text()))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
class TestLock:
    def test_every_pin_has_hashes(self, lock):
        entries = re.split(r"\n(?=[a-z0-9])", lock.read_text())

        assert [
            entry.splitlines()[0]
            for entry in entries
            if PIN.match(entry) and "--hash=sha256:" not in entry
        ] == []

    def test_names_no_host_and_no_path(self, lock):
        lines = lock.read_text().splitlines()
        options = [line for line in lines if re.match(r"\s*-(?!-hash=)", line)]

        assert [line for line in lines if "://" in line or "@ " in line] == []
        assert options == []

    def test_holds_no_banned_release(self, lock):
        if lock.name == "requirements-lock.txt":
            assert pins(lock).keys() == {"uv"}
            return
        if lock.name == "requirements-chainlit.txt":
            assert "litellm" not in pins(lock)
            return
        version = tuple(int(part) for part in pins(lock)["litellm"].split("."))

        assert version >= (1, 83, 7)
        assert version not in {(1, 82, 7), (1, 82, 8)}


def test_the_developers_lock_holds_the_servers_pins():
    names = ("requirements.txt", "requirements-dev.txt")
    server, developers = (pins(ROOT / "deploy" / name) for name in names)

    assert {name: developers.get(name) for name in server} == server


@pytest.mark.parametrize("folder", vendor.PACKAGES)
def test_vendored_files_are_those_of_the_checksums(folder):
    assert vendor.differing(folder, vendor.present(folder)) == []


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        pytest.param(
            "docs/x.py",
            "pass  # TO" + "DO later\n",
            "line 1 is unfinished: pass  # TO" + "DO later",
            id="unfinished",
        ),
        pytest.param("static/x.js", "a();", "has no newline at its end", id="newline"),
        pytest.param("static/x.css", "a {} \n", "line 1 ends in blanks", id="blanks"),
        pytest.param(
            "agents/x.py", "a\n" * 251, "has 251 lines; 250 is the most: split it", id="length"
        ),
        pytest.param(
            "templates/x.html", '<p style="a">\n', 'has inline style or script: style="', id="style"
        ),
        pytest.param(
            "templates/x.html",
            '<a onclick="a()">\n',
            'has inline style or script: onclick="',
            id="handler",
        ),
        pytest.param(
            "templates/x.html",
            "<script>a()</script>\n",
            "has inline style or script: <script",
            id="script",
        ),
        pytest.param("docs/x.md", "[a](b.md)\n", "links to b.md, which does not exist", id="link"),
        pytest.param(
            "docs/x.md",
            "<" * 7 + " ours\n",
            "holds what two changes did not agree on",
            id="conflict",
        ),
        pytest.param("x.db", "", "does not belong at the top", id="top"),
    ],
)
def test_hygiene_complains(tmp_path, monkeypatch, name, text, complaint):
    monkeypatch.setattr(hygiene, "ROOT", tmp_path)
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)

    assert list(hygiene.complaints(path)) == [f"{name}: {complaint}"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("templates/x.html", '<script src="/a.js" type="module"></script>\n'),
        ("templates/x.html", '<p class="style" data-on="x">\n'),
        ("docs/x.md", "[a](https://example.org) [b](#c)\n"),
        ("static/x.svg", "TO" + "DO "),
    ],
)
def test_hygiene_lets_pass(tmp_path, monkeypatch, name, text):
    monkeypatch.setattr(hygiene, "ROOT", tmp_path)
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)

    assert list(hygiene.complaints(path)) == []


def test_nothing_is_installed_without_hashes():
    """The Makefile calls pip in one place of its own; elsewhere `deploy/environment.py` does."""
    installs = [line for line in (ROOT / "Makefile").read_text().splitlines() if "install" in line]
    past = [line for line in installs if "-m pip" in line]

    assert len(past) == 1
    assert "--require-hashes --requirement deploy/requirements-lock.txt" in past[0]

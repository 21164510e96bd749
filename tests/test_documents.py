"""Documents name only links, files and names that exist; no decision is long."""

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest
from django.apps import apps

from chatapp.env import ROOT

DECISIONS = sorted((ROOT / "docs" / "adr").glob("*.md"))
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTEXT.md", "history/core/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *DECISIONS,
]
MODULES = [
    path
    for package in ("agents", "bench", "chatapp", "deploy", "history")
    for path in sorted((ROOT / package).rglob("*.py"))
]
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
FILE = re.compile(
    r"`((?:agents|bench|chatapp|deploy|docs|history|static|templates|tests)/[\w./-]*)`"
)
DOTTED = re.compile(
    r"(?<![\w./-])(?:agents|bench|chatapp|deploy|history|tests)(?:\.\w+)+(?![\w/(*])"
)
SUFFIXES = {"json", "md", "py", "yaml"}
MOST_WORDS = 400  # The limit for one decision record, as `wc -w` counts.

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_broken(page: Path, target: str, anchor: str) -> bool:
    if re.match(r"\w+:", target):
        return False
    linked = page.parent / target if target else page
    return not linked.exists() or (bool(anchor) and anchor not in anchors(linked))


def is_permission(name: str) -> bool:
    app, _, codename = name.partition(".")
    found = set()
    for model in apps.get_app_config(app).get_models() if app in apps.app_configs else ():
        meta = model._meta
        found |= {f"{action}_{meta.model_name}" for action in meta.default_permissions}
        found |= {custom for custom, _ in meta.permissions}
    return codename in found


def is_missing(name: str) -> bool:
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return not is_permission(name)
    return False


def missing(names: list[str]) -> list[str]:
    return [n for n in names if n.rpartition(".")[2] not in SUFFIXES and is_missing(n)]


@pages
def test_every_link_leads_somewhere(page):
    assert [link for link in LINK.findall(page.read_text()) if is_broken(page, *link)] == []


@pages
def test_every_file_exists(page):
    assert [name for name in FILE.findall(page.read_text()) if not (ROOT / name).exists()] == []


@pages
def test_every_dotted_name_can_be_imported(page):
    assert missing(DOTTED.findall(page.read_text())) == []


def test_every_dotted_name_in_backticks_can_be_imported():
    quoted = re.compile(rf"`({DOTTED.pattern})`")

    assert {
        path.relative_to(ROOT).as_posix(): wrong
        for path in MODULES
        if (wrong := missing(quoted.findall(path.read_text())))
    } == {}


@pytest.mark.parametrize("name", ["history.core.pruners.TurnSize", "history.read_everything"])
def test_a_name_that_is_gone_is_noticed(name):
    assert missing(DOTTED.findall(f"see `{name}`.")) == [name]


def test_nobody_is_told_to_install_somebody_elses_package():
    """No document says `pip install vitrine`, since that is another project's package."""
    texts = [*PAGES, *MODULES, ROOT / ".env.example", ROOT / "deploy" / "README.md"]
    told = re.compile(r"pip install [^\n]*\bvitrine\b")

    assert [path.name for path in texts if told.search(path.read_text())] == []


def test_every_decision_has_a_number_of_its_own_and_a_line_in_the_architecture():
    files = [page.name for page in DECISIONS]
    listed = re.findall(
        r"^- \[(\d+): .+\]\(adr/(.+)\)$", (ROOT / "docs/architecture.md").read_text(), re.M
    )
    assert [file for _, file in listed] == files
    assert [int(number) for number, _ in listed] == list(range(1, len(files) + 1))
    assert [int(name[:4]) for name in files] == list(range(1, len(files) + 1))


def test_no_decision_is_longer_than_its_limit():
    words = {page.name: len(page.read_text().split()) for page in DECISIONS}

    assert {name: count for name, count in words.items() if count > MOST_WORDS} == {}

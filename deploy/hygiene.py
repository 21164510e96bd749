"""Our own small checks of every file in the repository: `python -m deploy.hygiene`.

Each check finds a mistake that was once made here, or would be costly. A check takes a file's text
and yields what is wrong with it. The table at the end says which files each check reads.
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePath

from deploy.variables import participles, participles_of_script
from deploy.words import glossary_of, names_in

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 250
LONGEST_TESTS = 380
MOST_MODULES = 15  # The most modules in a folder of the app.
PROJECT = {"__init__.py", "apps.py", "asgi.py", "settings.py", "urls.py"}  # Allowed in chatapp/.
NOT_OURS = ("*/vendor/*", "*/migrations/*", "deploy/requirements*.txt")
UNFINISHED = re.compile(r"\b(TOD[O]|FIXM[E]|XX[X]|HAC[K])\b")
INLINE = re.compile(r"""<style\b|\s(?:style|on[a-z]+)\s*=\s*["']|javascript:""", re.IGNORECASE)
SCRIPT = re.compile(r"<script\b(?![^>]*\b(?:src|nonce)=)(?![^>]*application/json)", re.IGNORECASE)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
TOP = re.compile(
    r"(?:chatapp|history|agents|templates|static|tests|docs|bench|deploy|\.ci)/"
    r"|(?:manage\.py|pyproject\.toml|Makefile|LICENSE|README\.md|CONTEXT\.md|CHANGELOG\.md)$"
    r"|\.(?:env\.example|editorconfig|gitattributes|gitignore)$"
)
APP = re.compile(r"(?:chatapp|history|agents)/.*\.py$")
MID_SENTENCE = re.compile(r"(Of|With|Without|As|By|From|Where|For|Over|Under)\b")
CONFLICT = re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE)
Check = Callable[[Path, str], Iterator[str]]


def unfinished(path: Path, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        if UNFINISHED.search(line):
            yield f"line {number} is unfinished: {line.strip()}"


def whitespace(path: Path, text: str) -> Iterator[str]:
    if text and not text.endswith("\n"):
        yield "has no newline at its end"
    for number, line in enumerate(text.splitlines(), 1):
        if line != line.rstrip():
            yield f"line {number} ends in blanks"


def length(path: Path, text: str) -> Iterator[str]:
    longest = LONGEST_TESTS if path.relative_to(ROOT).parts[0] == "tests" else LONGEST
    if (lines := text.count("\n")) > longest:
        yield f"has {lines} lines; {longest} is the most: split it"


def inline_code(path: Path, text: str) -> Iterator[str]:
    """Find inline code: the Content-Security-Policy makes browsers block it, unnoticed by tests."""
    for pattern in (INLINE, SCRIPT):
        for found in pattern.finditer(text):
            yield f"has inline style or script: {found[0].strip()}"


def links(path: Path, text: str) -> Iterator[str]:
    for target in LINK.findall(text):
        if not (path.parent / target).exists():
            yield f"links to {target}, which does not exist"


def conflicts(path: Path, text: str) -> Iterator[str]:
    if CONFLICT.search(text):
        yield "holds what two changes did not agree on"


def docstrings(path: Path, text: str) -> Iterator[str]:
    """Find docstrings that begin in mid-sentence, such as "Of a request" or "As if it were old"."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            said = ast.get_docstring(node) or ""
            if MID_SENTENCE.match(said):
                yield f"has a docstring that begins in mid-sentence: {said.splitlines()[0]}"


CHECKS: tuple[tuple[Check, tuple[str, ...]], ...] = (
    (unfinished, ("*.py", "*.js", "*.css", "*.html", "*.md", "Makefile")),
    (whitespace, ("*.py", "*.js", "*.css", "*.html", "*.md", "Makefile", ".env.example")),
    (
        length,
        ("chatapp/*.py", "history/*.py", "agents/*.py", "tests/*.py", "*.js", "*.css", "*.html"),
    ),
    (docstrings, ("*.py",)),
    (participles, ("chatapp/*.py", "history/*.py", "agents/*.py")),
    (participles_of_script, ("static/js/*.js",)),
    (inline_code, ("templates/*.html",)),
    (links, ("*.md",)),
    (conflicts, ("*.py", "*.js", "*.css", "*.html", "*.md", "*.toml", "Makefile", ".env.example")),
)


def complaints(path: Path) -> Iterator[str]:
    name = path.relative_to(ROOT).as_posix()
    if not TOP.match(name):
        yield f"{name}: does not belong at the top"
    checks = [check for check, kinds in CHECKS if any(fnmatch(name, kind) for kind in kinds)]
    text = path.read_text() if checks else ""
    for check in checks:
        for complaint in check(path, text):
            yield f"{name}: {complaint}"


def rooms(names: Iterable[str]) -> Iterator[str]:
    """Find folders of the app with too many modules, and modules that belong in a folder of
    chatapp.
    """
    modules = [PurePath(name) for name in names if APP.match(name)]
    for folder, count in Counter(m.parent for m in modules if m.name != "__init__.py").items():
        if count > MOST_MODULES:
            yield f"{folder}: holds {count} modules; {MOST_MODULES} is the most: part it"
    for module in modules:
        if module.parent == PurePath("chatapp") and module.name not in PROJECT:
            yield f"{module}: belongs in one of the rooms of chatapp"


def wording(paths: Iterable[Path]) -> Iterator[str]:
    """Find classes and modules of the app named by a word that CONTEXT.md says to avoid."""
    glossary = glossary_of((ROOT / "CONTEXT.md").read_text())
    ours = [path for path in paths if APP.match(path.relative_to(ROOT).as_posix())]
    names = [name for path in ours for name in names_in(path.relative_to(ROOT), path.read_text())]
    for name in names:
        yield from glossary.faults(name)
    yield from glossary.unused(names)


def files() -> list[Path]:
    """List the files that git tracks or would add, which excludes data and caches."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    ours = [name for name in listed if not any(fnmatch(name, pattern) for pattern in NOT_OURS)]
    return [ROOT / name for name in ours if (ROOT / name).is_file()]


def main() -> int:
    found = [complaint for path in files() for complaint in complaints(path)]
    found += wording(files())
    found += rooms(path.relative_to(ROOT).as_posix() for path in files())
    print("\n".join(found) or f"{len(files())} files are clean.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())

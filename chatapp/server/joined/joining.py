"""Decide which module goes into which file, and write the text of each file."""

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

from chatapp.server.joined.modules import (
    Module,
    Unjoinable,
    object_of,
    read_all,
    without_imports,
    wrapped,
)

FIRST = "main"
BESIDE = {"providers"}  # Files that templates/base.html links after main.js.
# Here, files that load later find the modules of main.js. They can't import main.js: it imports
# them, and files whose names contain their contents' hashes can't name each other.
KEPT = "globalThis.joined"
CIRCLE = "Scripts import each other in a circle, which cannot be joined: {names}."
TWICE = "static/js/{name}.js is part of main.js, and is also imported later. Import it at once."
Modules = dict[str, Module]


def joined(folder: Path) -> dict[str, str]:
    """Return the text of each file that a chat's page loads, by the file's name."""
    modules = read_all(folder)
    page = closure(modules, FIRST, ())
    later = files(modules, page)
    names = [name for name in page if modules[name].exports]
    texts = {FIRST: _text(modules, page, [f"{KEPT} = {_object(names)};\n"])}
    for root, members in later.items():
        texts[root] = _head(modules, members, page) + _text(modules, members, [])
    return texts


def closure(modules: Modules, root: str, apart: Collection[str]) -> list[str]:
    """Return the root and the modules that it imports, dependencies first, except those `apart`."""
    members: list[str] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise Unjoinable(CIRCLE.format(names=" → ".join((*path, name))))
        if name in members or (path and name in apart):
            return
        for needed in modules[name].needs:
            visit(needed, (*path, name))
        members.append(name)

    visit(root, ())
    return members


def files(modules: Modules, page: list[str]) -> dict[str, list[str]]:
    """Return each later file's modules, its root last. A module that two roots need gets a file."""
    roots: set[str] = set(BESIDE)
    while True:
        closures = {root: closure(modules, root, {*page, *roots}) for root in sorted(roots)}
        counts = Counter(name for members in closures.values() for name in members)
        called = {call for name in (*page, *counts) for call in modules[name].calls}
        if twice := sorted(called & set(page)):
            raise Unjoinable(TWICE.format(name=twice[0]))
        more = called | {name for name, count in counts.items() if count > 1}
        if more <= roots:
            return closures
        roots |= more


def _head(modules: Modules, members: list[str], page: list[str]) -> str:
    """Write a later file's imports: of main.js's modules, and of other later files."""
    needs = sorted({need for name in members for need in modules[name].needs} - {*members})
    names = [name for name in needs if name in page]
    others = [name for name in needs if name not in page]
    imports = [f'import * as {object_of(name)} from "./{name}.js";\n' for name in others]
    return "".join(imports) + (f"const {_object(names)} = {KEPT};\n" if names else "")


def _text(modules: Modules, members: list[str], before_root: list[str]) -> str:
    """Write the text of a file. Its root remains a module, so that its exports are the file's."""
    inner = [wrapped(modules[name], modules) for name in members[:-1]]
    return "".join([*inner, *before_root, without_imports(modules[members[-1]], modules)])


def _object(names: Iterable[str]) -> str:
    return f"{{ {', '.join(object_of(name) for name in names)} }}"

"""A module as it is written in static/js, and its imports. Code is refused if joining could change
what it means. Comments on lines of their own are left out: a fifth of what a browser would load.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

IMPORT = re.compile(
    r'^import (?:(?P<names>\{.+\}|\* as \w+) from )?"\./(?P<module>[\w-]+)\.js";\n', re.MULTILINE
)
EXPORT = re.compile(
    r"^export (?=(?:async function|function\*?|class|const) (?P<name>\w+))", re.MULTILINE
)
LIST = re.compile(r"^export \{(?P<names>[^}]+)\};\n", re.MULTILINE)
CALL = re.compile(r'\bimport\("\./([\w-]+)\.js"\)')
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
STATEMENT = re.compile(r"^(?:import|export)\b(?!\().*$", re.MULTILINE)
REFUSED = """\
static/js/{name}.js: "{line}" is in no form that can be joined with other scripts. These are, each
on a line of its own:
  import {{ a, b as c }} from "./x.js";
  import * as x from "./x.js";
  import "./x.js";
  export function a() (also async), export class A, export const a
  export {{ a, b as c }};"""
UNKNOWN = "static/js/{name}.js imports {what}, which static/js/{module}.js does not export."
ABSENT = "static/js/{name}.js imports static/js/{module}.js, which is not there."


class Unjoinable(ValueError):
    """A script is written in a way that makes joining it impossible."""


class Module(NamedTuple):
    name: str
    text: str
    needs: tuple[str, ...]  # Modules imported before this one runs.
    calls: frozenset[str]  # Modules imported later, when something happens.
    exports: dict[str, str]  # The names inside the module, by the names that it exports.


def read(file: Path) -> Module:
    name, text = file.stem, _without_comments(file.read_text())
    for statement in STATEMENT.finditer(text):
        if not any(way.match(text, statement.start()) for way in (IMPORT, EXPORT, LIST)):
            raise Unjoinable(REFUSED.format(name=name, line=statement[0]))
    needs = tuple(match["module"] for match in IMPORT.finditer(text))
    return Module(name, text, needs, frozenset(CALL.findall(text)), _exports(text))


def read_all(folder: Path) -> dict[str, Module]:
    modules = {file.stem: read(file) for file in sorted(folder.glob("*.js"))}
    for module in modules.values():
        if missing := sorted({*module.needs, *module.calls} - modules.keys()):
            raise Unjoinable(ABSENT.format(name=module.name, module=missing[0]))
    return modules


def _without_comments(text: str) -> str:
    """Leave comments out, unless a template literal of several lines might contain such lines."""
    has_long_literal = any(line.count("`") % 2 for line in text.splitlines())
    return text if has_long_literal else COMMENT.sub("", text)


def _exports(text: str) -> dict[str, str]:
    declared = {match["name"]: match["name"] for match in EXPORT.finditer(text)}
    pairs = [pair for match in LIST.finditer(text) for pair in _pairs(match["names"])]
    return declared | {outside: inside for inside, outside in pairs}


def _pairs(names: str) -> list[tuple[str, str]]:
    """Return each name with its alias: `a, b as c` becomes (a, a), (b, c)."""
    parts = [name.split(" as ") for name in names.strip(" ,").split(",")]
    return [(part[0].strip(), part[-1].strip()) for part in parts]


def object_of(name: str) -> str:
    """Return the name of the object that has a module's exports in joined files."""
    return f"${name.replace('-', '_')}"


def without_imports(module: Module, modules: dict[str, Module]) -> str:
    """Return a module's text in which names are taken from other modules' objects, not imported."""
    lines = [
        f"const {_target(module, match['names'], source)} = {object_of(source.name)};\n"
        for match in IMPORT.finditer(module.text)
        if match["names"] and (source := modules[match["module"]])
    ]
    return "".join([*lines, IMPORT.sub("", module.text)])


def _target(module: Module, names: str, source: Module) -> str:
    """Write an import's names as the left side of a declaration."""
    if names.startswith("*"):
        return names.removeprefix("* as ")
    pairs = _pairs(names.strip("{}"))
    for name, _ in pairs:
        if name not in source.exports:
            raise Unjoinable(UNKNOWN.format(name=module.name, what=name, module=source.name))
    return f"{{ {_renamed(pairs)} }}"


def wrapped(module: Module, modules: dict[str, Module]) -> str:
    """Write a statement that runs the module in a scope of its own, and keeps its exports."""
    text = LIST.sub("", EXPORT.sub("", without_imports(module, modules)))
    if not module.exports:
        return f"(() => {{\n{text}}})();\n"
    exports = _renamed(module.exports.items())
    return f"const {object_of(module.name)} = (() => {{\n{text}return {{ {exports} }};\n}})();\n"


def _renamed(pairs: Iterable[tuple[str, str]]) -> str:
    """Write each name, followed by a colon and its new name if the two differ."""
    return ", ".join(name if name == other else f"{name}: {other}" for name, other in pairs)

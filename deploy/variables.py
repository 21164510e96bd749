"""Check the app's variables, in Python and in scripts: each is named by a noun that says what it
holds.

A participle alone ("found", "sent") says only how its value came about, so that a reader has to
look for what it is. Before a noun it is fine (`sent_tokens`), and so it is as an attribute, since
the class gives the noun (`counts.sent`). Sentences take the figures of facts as parameters, with
the names under which they are stored.
"""

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

SENTENCES = Path(__file__).resolve().parent.parent / "history" / "wording"
# fmt: off
PARTICIPLES = frozenset((
    "asked", "begun", "chosen", "cleaned", "found", "given", "got", "handed", "held", "kept",
    "known", "looked", "made", "meant", "named", "owed", "said", "sent", "shown", "sought",
    "stands", "stored", "supplied", "taken", "told", "took", "tried", "used", "wanted",
    "written",
))
# fmt: on
DECLARATION = re.compile(rf"\b(?:const|let)\s+({'|'.join(PARTICIPLES)})\b")


def participles_of_script(path: Path, text: str) -> Iterator[str]:
    """Find declarations in a script that are called by a participle alone."""
    for number, line in enumerate(text.splitlines(), 1):
        if declaration := DECLARATION.search(line):
            yield _fault(number, declaration[1])


def participles(path: Path, text: str) -> Iterator[str]:
    """Find variables and parameters that are called by a participle alone."""
    takes_figures = SENTENCES in path.parents
    for node in _but_attributes(ast.parse(text)):
        if takes_figures and isinstance(node, ast.arg):
            continue
        if isinstance(node, ast.arg | ast.Name) and (name := _assigned(node)) in PARTICIPLES:
            yield _fault(node.lineno, name)


def _fault(number: int, name: str) -> str:
    return f"line {number} calls a variable {name!r}: say what it holds by a noun"


def _assigned(node: ast.arg | ast.Name) -> str:
    if isinstance(node, ast.arg):
        return node.arg
    return node.id if isinstance(node.ctx, ast.Store) else ""


def _but_attributes(node: ast.AST) -> Iterator[ast.AST]:
    """Walk through the tree without what the bodies of classes assign."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.ClassDef) and isinstance(child, ast.AnnAssign | ast.Assign)):
            yield from chain([child], _but_attributes(child))

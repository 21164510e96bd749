"""Check the app's classes and modules: no name uses a word that CONTEXT.md says to avoid.

Some words are allowed nevertheless: a word that is itself a term, and a word of the table "Words
with a second meaning" in the names listed there. A word followed by "(alone)" is avoided only as a
whole name.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path

MEANINGS = "## Words with a second meaning"
ALONE = "(alone)"
QUALIFIER = re.compile(r"\([^)]*\)")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True)
class Glossary:
    """`avoided` maps each word to the right term; `elsewhere` lists names where it means another
    thing.
    """

    terms: frozenset[str]
    avoided: dict[str, str]
    elsewhere: dict[str, tuple[str, ...]]

    def faults(self, name: str) -> Iterator[str]:
        """Say what is wrong with the last part of a dotted name."""
        words = words_of(name.rpartition(".")[2])
        for avoided, term in self.avoided.items():
            word = _plain(avoided)
            is_used = words == word.split() if ALONE in avoided else _holds(words, word)
            if is_used and not self._is_fine(name, words, word):
                yield f"{name}: CONTEXT.md says to avoid {word!r} and to say {term!r}"

    def unused(self, names: Iterable[str]) -> Iterator[str]:
        """List second meanings that CONTEXT.md has for names that no longer exist."""
        known = list(names)
        for word, patterns in self.elsewhere.items():
            holding = [n for n in known if _holds(words_of(n.rpartition(".")[2]), word)]
            for pattern in patterns:
                if not any(fnmatchcase(name, pattern) for name in holding):
                    yield f"CONTEXT.md: nothing in {pattern} is named {word!r}"

    def _is_fine(self, name: str, words: list[str], word: str) -> bool:
        terms = (term for term in self.terms if _holds(term.split(), word))
        return any(_holds(words, term) for term in terms) or any(
            fnmatchcase(name, pattern) for pattern in self.elsewhere.get(word, ())
        )


def glossary_of(text: str) -> Glossary:
    """Read the terms and the second meanings from the tables of CONTEXT.md."""
    first, _, second = text.partition(MEANINGS)
    rows = [row for row in _rows(first) if len(row) > 2]
    return Glossary(
        frozenset(_plain(term) for row in rows for term in row[0].split(",")),
        {word.strip(): row[0] for row in rows for word in row[2].split(",") if word},
        {row[0]: tuple(re.findall(r"`([^`]+)`", row[1])) for row in _rows(second)},
    )


def words_of(name: str) -> list[str]:
    """Split a name of either style: `ToolCallFilter` and `tool_call_filter` are tool, call,
    filter.
    """
    return [word.lower() for word in WORD.findall(name)]


def names_in(path: Path, text: str) -> Iterator[str]:
    """Yield the dotted names of a module and of its classes."""
    module = ".".join(path.with_suffix("").parts)
    yield module
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            yield f"{module}.{node.name}"


def _rows(text: str) -> Iterator[list[str]]:
    tables = groupby(text.splitlines(), lambda line: line.startswith("|"))
    for table in (list(lines) for is_table, lines in tables if is_table):
        yield from ([cell.strip() for cell in row.strip("|").split("|")] for row in table[2:])


def _plain(word: str) -> str:
    return QUALIFIER.sub("", word).replace("-", " ").strip().lower()


def _holds(words: list[str], phrase: str) -> bool:
    """Whether a phrase is among the words; its last word may be in the plural."""
    wanted = phrase.split()
    starts = range(len(words) - len(wanted) + 1)
    found = (words[start : start + len(wanted)] for start in starts)
    return any([*each[:-1], each[-1].removesuffix("s")] == _singular(wanted) for each in found)


def _singular(words: list[str]) -> list[str]:
    return [*words[:-1], words[-1].removesuffix("s")]

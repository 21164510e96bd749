"""Split a query into terms that both databases can look up. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

Statement: TypeAlias = tuple[str, list[str]]  # SQL and its parameters.
MOST_TERMS = 12
INDEXED = 100_000  # Characters of a text; PostgreSQL refuses to index much longer ones.
LONGEST = 60  # Letters of a term; the beginning of a word finds it.
SHORT = 3  # Letters. Shorter terms say little, unless there are no others.
DENSE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"  # Japanese, Chinese, Korean.
RUN = re.compile(rf"([{DENSE}]+)|((?:(?![{DENSE}])[^\W_])+)")


@dataclass(frozen=True, slots=True)
class Term:
    """Letters and digits only, in lower case.

    `is_dense`: from a script that writes no spaces, where two characters are about a word.
    """

    text: str
    is_dense: bool = False

    @property
    def is_telling(self) -> bool:
        return self.is_dense or len(self.text) >= SHORT


def terms_of(query: str) -> list[Term]:
    """Return at most twelve terms, each once, in the query's order; none without letters."""
    terms = list(dict.fromkeys(_terms(query.lower())))
    return ([term for term in terms if term.is_telling] or terms)[:MOST_TERMS]


def _terms(query: str) -> Iterator[Term]:
    for dense, word in RUN.findall(query):
        if word:
            yield Term(word[:LONGEST])
        elif len(dense) == 1:
            yield Term(dense, is_dense=True)
        else:  # By pairs: nothing marks where a word ends.
            yield from (Term(one + other, is_dense=True) for one, other in pairwise(dense))

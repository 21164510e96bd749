"""Correct the words of a query that no document contains; all other words stay as they are."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache

from chatapp.about.index import entries, forms
from chatapp.about.words import is_common

LEAST = 4  # The fewest letters of a word to correct: shorter words are all alike.
LONG = 10  # In a word with at least so many letters, two letters may be wrong.
# A name with underscores is one word here, so that a misspelt name that a document shows as an
# example does not make its misspelt part a known word.
WRITTEN = re.compile(r"\w+")


def mended(word: str) -> str:
    """Return the word probably meant: of the known words with the fewest differing letters, the
    most frequent.
    """
    counts = _known()
    if len(word) < LEAST or word in counts or is_common(word) or _is_form(word):
        return word
    most = 2 if len(word) >= LONG else 1
    near = [
        (distance, -count, each)
        for each, count in counts.items()
        if each[0] == word[0] and (distance := letters_apart(word, each, most)) <= most
    ]
    return min(near)[2] if near else word


def letters_apart(one: str, other: str, most: int) -> int:
    """Count the letters to add, remove, replace or swap with neighbours to turn one word into the
    other. A result above `most` is not exact.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before, row = list[int](), list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b)))
            if last and j > 1 and a == other[j - 2] and b == one[i - 2]:
                row[j] = min(row[j], last[j - 2] + 1)
    return row[-1]


def _is_form(word: str) -> bool:
    """Whether the word is another form of a known word, or the beginning of one."""
    return any(each in _known() for each in forms(word))


@cache
def _known() -> Mapping[str, int]:
    sections = (entry.section for entry in entries())
    texts = (f"{each.document.title} {each.heading} {each.text}" for each in sections)
    return Counter(word for text in texts for word in WRITTEN.findall(text.casefold()))

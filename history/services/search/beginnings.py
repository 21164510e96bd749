"""The beginnings of words, written so that a trigram index can contain them. Pure functions.

Such an index cannot find "14" or "C". So it also gets the beginning of each word, up to two
characters, after two private-use marks: for "C++ 14" it gets `**c+` and `**14`, and for a script
without spaces each character with the next.
"""

import re

from history.services.search.letters import plain
from history.services.search.terms import DENSE, SIGNS

MARK = "\uf8ff"  # A private-use character that stands for no branch and no owner.
_LETTER = rf"[^\W_{DENSE}]"
_BEGINNING = re.compile(
    rf"(?=([{DENSE}]{{1,2}}))[{DENSE}]|((?<!{_LETTER}){_LETTER}(?:{_LETTER}|[{SIGNS}])?)"
)


def beginnings(text: str) -> str:
    """Return each beginning of the text's words once, for the index."""
    return "".join(sorted({f"{MARK}{MARK}{beginning}" for beginning in _of(plain(text))}))


def looked_up(few: str) -> set[str]:
    """Return the trigrams that find a text of fewer than three plain characters."""
    return {f"{MARK}{MARK}{beginning}"[-3:] for beginning in _of(few)}


def is_beginning(few: str) -> bool:
    """Return whether the text itself is a beginning, so that the index alone decides."""
    match = _BEGINNING.match(few)
    return match is not None and max(match.groups(default="")) == few


def _of(text: str) -> set[str]:
    return {dense or beginning for dense, beginning in _BEGINNING.findall(text)}

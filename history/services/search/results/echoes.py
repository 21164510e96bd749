"""Find matches that only repeat what a person said earlier in the same chat, like an answer that
quotes its question. Pure functions.
"""

import re
from collections.abc import Iterable, Sequence

from history.services.search.letters import plain
from history.services.search.terms import DENSE, Term

# The fewest words of an echo. In scripts without spaces, it has at least twice as many characters.
LEAST = 3
_END = re.compile(r"[.!?\u2026]+(?=[\s\"\u201d\u00bb]|$)|[\n\"\u201c\u201d\u201e\u00ab\u00bb|]+")
_SIGNS = re.compile(r"[\W_]+")
_DENSE = re.compile(f"[{DENSE}]")


def words(text: str) -> str:
    """Return a text's words, each after a space, which is how texts are compared here."""
    return f" {_SIGNS.sub(' ', plain(text)).strip()}"


def is_echo(text: str, terms: Sequence[Term], earlier_texts: Iterable[str]) -> bool:
    """Return whether each passage of the text that contains a match is in one of the earlier texts,
    which are in the form of `words`. An introduction such as "You wrote: " doesn't count.
    """
    patterns = [re.compile(term.found) for term in terms if not term.is_excluded]
    passages = [each for each in _END.split(plain(text)) if _matches(each, patterns)]
    earlier = list(earlier_texts) if passages else []
    return bool(earlier) and all(_is_in(earlier, each, patterns) for each in passages)


def _matches(passage: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    return any(pattern.search(passage) for pattern in patterns)


def _is_in(earlier: Sequence[str], passage: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    lead, _, quoted = passage.partition(": ")
    wholes = [words(passage), *([words(quoted)] if not _matches(lead, patterns) else [])]
    return any(_says_much(whole) and any(whole in text for text in earlier) for whole in wholes)


def _says_much(whole: str) -> bool:
    """Return whether a passage is long enough to be an echo; one word of a heading is not."""
    return whole.count(" ") >= LEAST or len(_DENSE.findall(whole)) >= 2 * LEAST

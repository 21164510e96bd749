"""Two answers side by side as HTML, with the words that differ marked."""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import unescape

from django.utils.safestring import SafeString, mark_safe

from chatapp.markdown import render
from chatapp.markdown.sanitise import copy_button

LONGEST = 20_000  # The most characters of a text whose words are compared.
MOST_PAIRS = 1_000_000  # The most pairs of equal words: more would take too long to compare.
SIGNS = "\u3040-\u30ff\u3400-\u9fff"  # Japanese and Chinese have no blanks between words.
TOKENS = re.compile(
    rf'<math\b.*?</math>|<(?:"[^"]*"|[^">])*>|\s+|[{SIGNS}]|[^<\s{SIGNS}]+', re.DOTALL
)
EDGES = re.compile(r"^\W+|\W+$")
SEAMS = re.compile(r"</mark>(\s*)<mark>")


def answer_html(text: str) -> SafeString:
    """Render an answer without buttons to copy its code."""
    return mark_safe(render(text).replace(copy_button(), ""))


def words_compared(was: str, now: str) -> tuple[SafeString, SafeString] | None:
    """Return both answers with what differs marked; None if they are too long to compare."""
    if max(len(was), len(now)) > LONGEST:
        return None
    old, new = TOKENS.findall(answer_html(was)), TOKENS.findall(answer_html(now))
    was_words, now_words = _words(old), _words(new)
    if _pairs(was_words, now_words) > MOST_PAIRS:
        return None
    same = SequenceMatcher(None, was_words, now_words, autojunk=False).get_matching_blocks()
    left = {place for block in same for place in range(block.a, block.a + block.size)}
    right = {place for block in same for place in range(block.b, block.b + block.size)}
    return _marked(old, left), _marked(new, right)


def _words(tokens: Sequence[str]) -> list[str]:
    """Return the words as they are compared: punctuation and capitals make no difference."""
    words = (unescape(token).casefold() for token in tokens if _is_word(token))
    return [EDGES.sub("", word) or word for word in words]


def _is_word(token: str) -> bool:
    return token.startswith("<math") or not (token.startswith("<") or token.isspace())


def _pairs(was: Sequence[str], now: Sequence[str]) -> int:
    counts = Counter(now)
    return sum(times * counts[word] for word, times in Counter(was).items())


def _marked(tokens: Sequence[str], same: set[int]) -> SafeString:
    """Mark all words except those whose places among the words are in `same`."""
    parts, place = [], 0
    for token in tokens:
        is_word = _is_word(token)
        parts.append(f"<mark>{token}</mark>" if is_word and place not in same else token)
        place += is_word
    return mark_safe(SEAMS.sub(r"\1", "".join(parts)))

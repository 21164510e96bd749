"""Parse a search's query into terms to score sections by, and patterns to mark matches with."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from chatapp.about.index import forms, vocabulary
from chatapp.about.spelling import mended
from chatapp.about.words import WORD, stem, telling

NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query. Each of its `terms` stands for one significant word of the query: the words
    in the documents that match it, with their weights.

    The pattern `together` matches all words of the query in a row; `any` matches the same, or any
    single word of a term.
    """

    text: str
    is_mended: bool
    terms: tuple[Mapping[str, float], ...]
    together: re.Pattern[str]
    any: re.Pattern[str]


def query_of(text: str) -> Query:
    original = text.casefold()
    mended_text = WORD.sub(lambda match: mended(match[0]), original)
    words = WORD.findall(mended_text)
    terms = tuple(forms(word) for word in dict.fromkeys(telling(_joined(words))))
    together = _together(words)
    either = _either(together, {word for term in terms for word in term})
    return Query(mended_text, mended_text != original, terms, together, either)


def _joined(words: list[str]) -> list[str]:
    """Join two words that the documents write as one, such as "back up"."""
    pairs = {pair: "".join(pair) for pair in pairwise(words) if stem("".join(pair)) in vocabulary()}
    apart = {word for pair in pairs for word in pair}
    return [*pairs.values(), *(word for word in words if word not in apart)]


def _together(words: list[str]) -> re.Pattern[str]:
    beginnings = [rf"(?<![^\W_]){re.escape(stem(word))}[^\W_]*" for word in words]
    return re.compile(r"[\W_]+".join(beginnings), re.IGNORECASE) if words else NOTHING


def _either(together: re.Pattern[str], words: Iterable[str]) -> re.Pattern[str]:
    each = "|".join(map(re.escape, sorted(words)))
    whole = rf"(?<![^\W_])(?:{each})(?![^\W_])" if each else NOTHING.pattern
    return re.compile(f"{together.pattern}|{whole}", re.IGNORECASE)

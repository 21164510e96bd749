"""Cut an excerpt out of a text, around the matches of a search."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from history.models import Message
from history.services.search.letters import composed, plain_letters
from history.services.search.terms import Term

# How many characters an excerpt has before its first match, and from it on.
BEFORE, AFTER = 150, 350
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_WORD_BEGINS = re.compile(r"\s(?=\S)")


class Occurrence(NamedTuple):
    """A place in a text where one of the terms occurs."""

    start: int
    end: int
    term: Term


def searchable(message: Message) -> str:
    """Return a message's text with the names and the texts of its images and files."""
    files = (part for part in message.parts if part["kind"] != "reasoning")
    attached = (part.get(field, "") for part in files for field in ("name", "text"))
    return "\n".join([message.text, *filter(None, attached)])


def excerpt(text: str, terms: Sequence[Term], before: int = BEFORE, after: int = AFTER) -> str:
    """Return that part of the text which contains the most terms, on one line."""
    text = composed(text)
    start = start_of_place(text, terms, before, after)
    return " ".join(cut_out(text, start, start + before + after).split())


def start_of_place(text: str, terms: Sequence[Term], before: int, after: int) -> int:
    """Return where the part of a composed text with the most terms begins, at a word's start."""
    best = _best_start(_occurrences(text, terms), after)
    start = max(0, best - before)
    word = _WORD_BEGINS.search(text, max(0, start - 1), best) if start else None
    return word.end() if word else start


def cut_out(text: str, start: int, end: int) -> str:
    """Return the text from `start` to `end`, with an ellipsis at each end that was cut."""
    return f"{ELLIPSIS if start else ''}{text[start:end]}{ELLIPSIS if end < len(text) else ''}"


def pieces(text: str, terms: Sequence[Term]) -> tuple[str, ...]:
    """Split a text at its matches. Matches that touch, as pairs of characters do, are merged."""
    spans: list[tuple[int, int]] = []
    for place in _occurrences(text, terms):
        joins = bool(spans) and place.start <= spans[-1][1]
        start, end = spans.pop() if joins else (place.start, place.end)
        spans.append((start, max(end, place.end)))
    cuts = [0, *(place for span in spans for place in span), len(text)]
    return tuple(text[start:end] for start, end in pairwise(cuts))


def _occurrences(text: str, terms: Sequence[Term]) -> list[Occurrence]:
    """Return the places of the terms in a composed text, in order."""
    letters = plain_letters(text)
    return sorted((m for term in terms for m in _of_term(letters, term)), key=itemgetter(0, 1))


def _of_term(letters: str, term: Term) -> Iterator[Occurrence]:
    """Find a short term only as a whole word, because its letters occur in many other words."""
    for match in re.finditer(_pattern(term), letters):
        yield Occurrence(match.start(), match.start() + len(term.text), term)


def _pattern(term: Term) -> str:
    literal = re.escape(term.text)
    if term.is_closed:
        return term.whole
    if not term.is_telling:
        return rf"\b{literal}\b" if literal[-1].isalnum() else term.begun
    return f"(?={literal})" if term.is_dense else literal  # Pairs of characters may overlap.


def _best_start(places: Sequence[Occurrence], room: int) -> int:
    """Return the start of those matches that fit into one excerpt and have the greatest weight."""
    best, most, seen = 0, 0, Counter[Term]()
    end = 0
    for index, first in enumerate(places):
        while end < len(places) and (end == index or places[end].end <= first.start + room):
            seen[places[end].term] += 1
            end += 1
        weight = sum(map(_weight, +seen))
        if weight > most:
            best, most = first.start, weight
        seen[first.term] -= 1
    return best


def _weight(term: Term) -> int:
    """Return a weight: a phrase counts more than all words, and a word more than all syllables."""
    return 1_000 if term.is_phrase else 20 if term.is_telling else 1

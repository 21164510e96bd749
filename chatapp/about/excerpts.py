"""Excerpts: a piece of a section's text around the words that a search found."""

from collections.abc import Iterator
from dataclasses import dataclass

from chatapp.about.query import Query

BEFORE, AFTER = 60, 140  # How many characters are shown before and after the start of a match.


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of an excerpt: a match, or the text around it."""

    text: str
    is_hit: bool


def excerpt(text: str, query: Query) -> tuple[Piece, ...]:
    hit = query.together.search(text) or query.any.search(text)
    first = hit.start() if hit else 0
    start = text.find(" ", first - BEFORE, first) + 1 if first > BEFORE else 0
    end = first + AFTER
    passage = ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
    return tuple(_pieces(passage, query))


def _pieces(text: str, query: Query) -> Iterator[Piece]:
    end = 0
    for hit in query.any.finditer(text):
        yield Piece(text[end : hit.start()], is_hit=False)
        yield Piece(hit[0], is_hit=True)
        end = hit.end()
    yield Piece(text[end:], is_hit=False)

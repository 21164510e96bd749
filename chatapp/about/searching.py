"""Search the documents and the keyboard shortcuts. Guides come first, and then the best section.

The ranking of the sections:

1. Guides come before reference pages, such as the changelog, the vocabulary, decisions and
   generated tables. Of the guides, those about using and running Vitrine come before those about
   extending it.
2. The fewer sections have a word of the query, the more it counts. It counts more in a title or a
   short heading than in a text, more in a short section than in a long one, and more the first time
   than when it is repeated (this is BM25 over the fields of a section). Another form of the word
   counts almost as much; a longer word, or a synonym, counts less.
3. A section that lacks a word loses that word's share of the score, which is small for a frequent
   word.
4. A section in which the words of the query directly follow each other gets a higher score.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log1p

from chatapp.about.excerpts import Piece, excerpt
from chatapp.about.groups import group_of
from chatapp.about.index import Entry, entries
from chatapp.about.query import Query, query_of
from chatapp.about.sections import Section

MOST = 40  # The most sections that a search shows.
SOON = 1.2  # BM25's k1: the lower it is, the sooner repeating a word adds nothing.
LONG = 0.5  # BM25's b: how far a long text lowers the score.
TOGETHER = 1.5  # Factor for sections in which the words of the query directly follow each other.
ENOUGH = 0.15  # The share of the best score below which a section is left out.


@dataclass(frozen=True, slots=True)
class Hit:
    section: Section
    excerpt: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """The result of a search. `meant` is the corrected query if a word was misspelt. `has_all` says
    whether at least one section has all significant words.
    """

    found: tuple[Hit, ...] = ()
    meant: str = ""
    has_all: bool = True


@dataclass(frozen=True, slots=True)
class RankedSection:
    section: Section
    score: float
    has_all: bool

    @property
    def order(self) -> tuple[bool, float]:
        return not group_of(self.section.document).is_guide, -self.score


def search(text: str) -> Search:
    """Return the sections that match the query best, guides first."""
    query = query_of(text)
    ranked = list(_ranked(query))
    enough = max((each.score for each in ranked), default=0) * ENOUGH
    best = sorted((each for each in ranked if each.score >= enough), key=lambda each: each.order)
    sections = tuple(Hit(each.section, excerpt(each.section.text, query)) for each in best[:MOST])
    has_all = any(each.has_all for each in best)
    return Search(sections, query.text if query.is_mended else "", has_all)


def _ranked(query: Query) -> Iterator[RankedSection]:
    every = entries()
    average = sum(entry.length for entry in every) / len(every)
    rarity = [_rarity(term) for term in query.terms]
    for entry in every:
        fits = [_says(entry, term, average) for term in query.terms]
        score = sum(rare * fit for rare, fit in zip(rarity, fits, strict=True))
        if score:
            part = sum(rare for rare, fit in zip(rarity, fits, strict=True) if fit) / sum(rarity)
            closer = TOGETHER if query.together.search(_text(entry.section)) else 1
            weight = group_of(entry.section.document).weight
            yield RankedSection(entry.section, score * part * closer * weight, all(fits))


def _rarity(term: Mapping[str, float]) -> float:
    having = sum(not term.keys().isdisjoint(entry.weights) for entry in entries())
    return log1p(len(entries()) / (1 + having))


def _says(entry: Entry, term: Mapping[str, float], average: float) -> float:
    """Return BM25's weight of a term in a section, from 0 up to but excluding 1."""
    weight = sum(near * entry.weights.get(word, 0) for word, near in term.items())
    return weight / (weight + SOON * (1 - LONG + LONG * entry.length / average))


def _text(section: Section) -> str:
    return f"{section.heading}\n{section.text}"

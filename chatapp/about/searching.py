"""Search the documents and the keyboard shortcuts: guides first, and of them the best section.

The ranking of the sections:

1. Guides come before what is looked up: the changelog, the vocabulary, decisions, generated tables;
   and of the guides, those about using and running Vitrine before those about extending it.
2. Each word that was asked for says the more, the fewer sections have it; in a title or a short
   heading more than in a text; the second time less than the first; in a long section less than in
   a short one (this is BM25 over the fields of a section). Another form of the word is as good; a
   longer word, or one that means nearly the same, counts less.
3. A section that lacks a word loses its share of the whole, which is small for a frequent word.
4. A section in which the words follow each other says more.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log1p

from chatapp.about.excerpts import Piece, excerpt
from chatapp.about.groups import group_of
from chatapp.about.index import Entry, entries
from chatapp.about.query import Query, query_of
from chatapp.about.sections import Section

MOST = 40  # Sections that a search shows.
SOON = 1.2  # BM25's k1: how soon repeating a word adds nothing.
LONG = 0.5  # BM25's b: how much a text's length counts.
TOGETHER = 1.5  # Factor for sections in which the words of the query follow each other.
ENOUGH = 0.15  # The share of the best score below which a section is left out.


@dataclass(frozen=True, slots=True)
class Found:
    section: Section
    excerpt: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """What was found. `asked` is the query, `meant` the corrected one if a word was misspelt.
    `has_all` is whether one of the sections has all significant words.
    """

    asked: str
    found: tuple[Found, ...] = ()
    meant: str = ""
    has_all: bool = True


@dataclass(frozen=True, slots=True)
class Ranked:
    section: Section
    score: float
    has_all: bool

    @property
    def order(self) -> tuple[bool, float]:
        return not group_of(self.section.document).is_guide, -self.score


def search(asked: str) -> Search:
    """Return the sections that match best."""
    query = query_of(asked)
    ranked = list(_ranked(query))
    enough = max((each.score for each in ranked), default=0) * ENOUGH
    best = sorted((each for each in ranked if each.score >= enough), key=lambda each: each.order)
    found = tuple(Found(each.section, excerpt(each.section.text, query)) for each in best[:MOST])
    has_all = any(each.has_all for each in best)
    return Search(asked, found, query.meant if query.is_mended else "", has_all)


def _ranked(query: Query) -> Iterator[Ranked]:
    every = entries()
    average = sum(entry.length for entry in every) / len(every)
    rarity = [_rarity(term) for term in query.terms]
    for entry in every:
        says = [_says(entry, term, average) for term in query.terms]
        score = sum(rare * said for rare, said in zip(rarity, says, strict=True))
        if score:
            part = sum(rare for rare, said in zip(rarity, says, strict=True) if said) / sum(rarity)
            closer = TOGETHER if query.together.search(_text(entry.section)) else 1
            weight = group_of(entry.section.document).weight
            yield Ranked(entry.section, score * part * closer * weight, all(says))


def _rarity(term: Mapping[str, float]) -> float:
    having = sum(not term.keys().isdisjoint(entry.weights) for entry in entries())
    return log1p(len(entries()) / (1 + having))


def _says(entry: Entry, term: Mapping[str, float], average: float) -> float:
    """Return BM25's weight of a term in a section, from 0 up to but excluding 1."""
    weight = sum(near * entry.weights.get(word, 0) for word, near in term.items())
    return weight / (weight + SOON * (1 - LONG + LONG * entry.length / average))


def _text(section: Section) -> str:
    return f"{section.heading}\n{section.text}"

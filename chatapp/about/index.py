"""The index of the search: which words each section has, and how much weight each has there."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt

from chatapp.about.documents import documents
from chatapp.about.keys import sections_of_keys
from chatapp.about.sections import Section, sections_of
from chatapp.about.words import alike, stem, telling, words_of

TITLE, HEADING, TEXT = 12, 6, 1  # Weights of a word in a title, a heading, a text.
# Weights of other forms of a word of the query, of longer words, and of synonyms.
OTHER, BEGUN, SIMILAR = 0.7, 0.4, 0.4
LEAST_BEGUN = 3  # The fewest letters with which a word also matches longer words.


@dataclass(frozen=True, slots=True)
class Entry:
    """A section with the weight of each of its words. `length` counts the words of its text."""

    section: Section
    weights: Mapping[str, float]
    length: int


@cache
def entries() -> tuple[Entry, ...]:
    return tuple(map(_entry, _sections()))


@cache
def vocabulary() -> Mapping[str, frozenset[str]]:
    """Return the words of all sections, grouped by their stems."""
    groups = defaultdict(set)
    for entry in entries():
        for word in entry.weights:
            groups[stem(word)].add(word)
    return {key: frozenset(words) for key, words in groups.items()}


@cache
def forms(word: str) -> Mapping[str, float]:
    """Return the words in the documents that match a word of the query, each with its closeness."""
    stems = vocabulary()
    near = dict.fromkeys((each for other in alike(word) for each in stems.get(other, ())), SIMILAR)
    if len(word) >= LEAST_BEGUN:
        every = (each for words in stems.values() for each in words)
        near |= dict.fromkeys((each for each in every if each.startswith(word)), BEGUN)
    near |= dict.fromkeys(stems.get(stem(word), ()), OTHER)
    return near | ({word: 1.0} if word in near else {})


def _sections() -> Iterator[Section]:
    yield from sections_of_keys()
    for name in documents():
        yield from sections_of(name)


def _entry(section: Section) -> Entry:
    """Weigh the words of a section.

    Words of the document's title weigh as a title in its first section, and as text in all others.
    """
    parts = section.document.title, section.heading, section.text
    title, heading, text = map(words_of, parts)
    weights = defaultdict[str, float](float, Counter(telling(text)))
    for words, weight in ((title, TEXT if section.heading else TITLE), (heading, HEADING)):
        for word in telling(words):
            weights[word] += weight / sqrt(len(words))
    return Entry(section, weights, len(text))

"""Split a query into terms that both databases can find. Pure functions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import TypeAlias

from history.services.search.letters import plain

Statement: TypeAlias = tuple[str, list[str]]  # An SQL expression, and its parameters.
MOST_TERMS = 12
INDEXED = 100_000  # In characters: PostgreSQL refuses to index texts that are much longer.
LONGEST = 60  # In letters: of a longer word, only the beginning is searched for.
LONGEST_PHRASE = 200
SHORT = 3  # In letters: `terms_of` leaves out shorter terms, which say little, if there are others.
# Letters of Japanese, Chinese and Korean.
DENSE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
RUN = re.compile(rf"([{DENSE}]+)|((?:(?![{DENSE}])[^\W_])+)")
MARKS = '"\u201c\u201d\u201e\u00ab\u00bb'  # The quotation marks that may enclose a phrase.
QUOTED = re.compile(f"[{MARKS}]([^{MARKS}]*)(?:[{MARKS}]|$)")
# A minus before a phrase or a word, but not before one or two letters, as in `ls -la`.
PART = re.compile(
    rf"(?P<without>(?<!\S)-(?:{QUOTED.pattern}|(?=[^\W_]{{3}}|[{DENSE}])[^\s{MARKS}]+))"
    rf"|{QUOTED.pattern}"
)

# Names and signs that programmers write, such as `C++` or `get_user_by_id`. The signs are searched
# for, too, and so is a dot between letters or digits, as in `settings.py` or `v1.2.3`.
SIGNS, DOT = "_+#", "."
# A literal is matched only at a word's start and never goes back, so long words aren't slow.
LITERAL = re.compile(
    rf"(?<![^\W_])[^\W_]++(?=[{SIGNS}]|\.[^\W_])(?:(?:[{SIGNS}]+|\.)[^\W_]+)*[+#]*"
    rf"(?<=[{SIGNS}\w])"
)


def _ranges() -> Iterator[str]:
    """Yield the ranges of letters and digits below U+2000, as a database may know only ASCII's."""
    codes = enumerate(code for code in range(0x2000) if chr(code).isalnum())
    for _, run in groupby(codes, lambda pair: pair[1] - pair[0]):
        letters = [chr(code) for _, code in run]
        yield f"{letters[0]}-{letters[-1]}"


LETTER = f"[{''.join(_ranges())}]"  # A letter or a digit, which belongs to the word beside it.


@dataclass(frozen=True, slots=True)
class Term:
    """What is searched for: only letters and digits, without accents and in lower case.

    `is_dense`: it is in a script without spaces, in which two characters are about a word.
    `is_phrase`: several words as they were typed, with what is between them. `is_closed`: its last
    word is complete, as in a phrase with a closing quotation mark. `is_excluded`: it was written
    after a minus, so that a message must not contain it.
    """

    text: str
    is_dense: bool = False
    is_phrase: bool = False
    is_closed: bool = False
    is_excluded: bool = False

    @property
    def is_telling(self) -> bool:
        return self.is_dense or len(self.text) >= SHORT

    @property
    def whole(self) -> str:
        """A regular expression, for both databases, that finds the term only as whole words."""
        return self.begun + (rf"(?!{LETTER})" if re.match(LETTER, self.text[-1]) else "")

    @property
    def found(self) -> str:
        """A regular expression that finds the term. A short term must begin a word, because
        otherwise it would match too much.
        """
        if self.is_closed:
            return self.whole
        return re.escape(self.text) if self.is_telling or self.is_phrase else self.begun

    @property
    def begun(self) -> str:
        """A regular expression that finds the term where a word begins."""
        before = rf"(?<!{LETTER})" if re.match(LETTER, self.text[0]) else ""
        return before + re.escape(self.text)


def terms_of(query: str) -> list[Term]:
    """Return at most twelve terms, each once, in the query's order; none if it has no letters."""
    terms = list(dict.fromkeys(_terms(plain(query))))
    return ([term for term in terms if term.is_telling] or terms)[:MOST_TERMS]


def searched_terms(query: str) -> list[Term]:
    """Return each phrase in quotation marks, and every other word, even short ones.

    Terms that a minus excludes come last. A query with only such terms finds nothing.
    """
    terms = _asked(sought_in(query))
    without = [part["without"][1:] for part in PART.finditer(query) if part["without"]]
    excluded = filter(None, map(_as_one, without))
    if not terms:
        return [] if without else _asked(query)
    return [*terms, *(replace(term, is_excluded=True) for term in excluded)][: 2 * MOST_TERMS]


def sought_in(query: str) -> str:
    """Return the query without the words and phrases that a minus excludes."""
    return PART.sub(lambda part: " " if part["without"] else part[0], query)


def _asked(query: str) -> list[Term]:
    phrases = filter(None, map(_quoted, QUOTED.finditer(query)))
    typed = plain(QUOTED.sub(" ", query))
    literals = [
        Term(name[:LONGEST], is_phrase=True)
        for name in map(_literal, LITERAL.finditer(typed))
        if name
    ]
    words = _terms(LITERAL.sub(lambda match: match[0] if not _literal(match) else " ", typed))
    return list(dict.fromkeys([*phrases, *literals, *words]))[:MOST_TERMS]


def _literal(match: re.Match[str]) -> str:
    return match[0] if {*SIGNS, DOT} & set(match[0]) else ""


def _as_one(text: str) -> Term | None:
    """Return a single term for all that one minus excludes, such as `foo_bar`."""
    terms = _asked(text)
    return terms[0] if len(terms) == 1 else phrase_of(text)


def phrase_of(query: str) -> Term | None:
    """Return the query as one phrase, if it has a letter. A quotation mark counts as a space."""
    phrase = " ".join(re.split(rf"[{MARKS}\s\0-\x1f\ud800-\udfff]+", plain(query))).strip()
    return Term(phrase[:LONGEST_PHRASE], is_phrase=True) if RUN.search(phrase) else None


def _quoted(match: re.Match[str]) -> Term | None:
    phrase, is_ended = phrase_of(match[1]), match.end(1) < match.end()
    is_cut = phrase is not None and len(phrase.text) == LONGEST_PHRASE
    return replace(phrase, is_closed=True) if phrase and is_ended and not is_cut else phrase


def words_of(phrase: Term) -> list[Term]:
    """Return the words of a phrase, by which an index of words can find it."""
    return list(dict.fromkeys(_terms(phrase.text)))[:MOST_TERMS]


def _terms(query: str) -> Iterator[Term]:
    for dense, word in RUN.findall(query):
        if word:
            yield Term(word[:LONGEST])
        elif len(dense) == 1:
            yield Term(dense, is_dense=True)
        else:  # A dense term is searched for in pairs, because nothing marks where its words end.
            yield from (Term(one + other, is_dense=True) for one, other in pairwise(dense))

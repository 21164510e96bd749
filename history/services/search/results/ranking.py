"""Rank matches: first the phrase as it was typed, then whole words, then the rest. Of matches for
several words, short messages come first. What a person said comes before what only repeats it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import NamedTuple, TypeAlias
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Substr

from history.core.transcript.messages import Role
from history.models import Message
from history.services.access import Actor, listed_conversations
from history.services.search.letters import plain
from history.services.search.recalling import TOOL
from history.services.search.results.echoes import is_echo, words
from history.services.search.terms import Term, phrase_of, sought_in

# Signs that may surround the query in a message that contains nothing else.
SIGNS_AROUND, AROUND = 20, " \n\t.,:;!?\"'`*_()\u2026"
# In characters: up to the first a message is brief, from the second on it is long. In between, only
# the length's power of two counts, so that about equally long messages come by their date.
BRIEF, LONG = 64, 512
READ = 2_000  # How many characters are read of a text that may be an echo.
MOST_SAID = 50  # With how many of a person's earlier matches a possible echo is compared.

Rated: TypeAlias = Mapping[int, int]  # The grade of each message, by its key.


class Hit(NamedTuple):
    """A match; better matches compare greater. Of one turn's equally good matches, the person's
    message is better.
    """

    is_query: bool
    grade: int
    brevity: int
    turn_began: datetime
    is_persons: bool
    created: datetime
    key: int
    position: int
    text: str

    @property
    def rank(self) -> tuple[bool, int]:
        return self.is_query, self.grade


@dataclass(frozen=True, slots=True)
class Matches:
    """The keys of a chat's matches, of which the first `shown_count` are shown. `others` counts
    those that are not shown and were not checked for being echoes. `further`: how many more matches
    only later pages show.
    """

    keys: Sequence[int]
    shown_count: int
    others: int = 0
    further: int = 0


def better(query: str, terms: Sequence[Term]) -> list[list[Term]]:
    """Return stricter forms of the terms, best first: the phrase as typed, whole words, and the
    phrase with its last word only begun.
    """
    wanted_terms = [term for term in terms if not term.is_excluded]
    typed, excluded = _typed(query, wanted_terms), terms[len(wanted_terms) :]
    tiers = dict.fromkeys(map(tuple, (_whole(typed), _whole(wanted_terms), typed)))
    return [[*tier, *excluded] for tier in tiers if tier and list(tier) != wanted_terms]


def _typed(query: str, terms: Sequence[Term]) -> list[Term]:
    phrase = phrase_of(sought_in(query))
    return [phrase] if phrase and len(terms) > 1 else []


def _whole(terms: Sequence[Term]) -> list[Term]:
    """Require that each term ends a word; in scripts without spaces, words have no known end."""
    return [term if term.is_dense else replace(term, is_closed=True) for term in terms]


def findable(actor: Actor, keys: Iterable[int]) -> QuerySet[Message]:
    """Return those of the messages that a search by this actor may show."""
    rows = Message.objects.filter(pk__in=keys).exclude(role=Role.SYSTEM).exclude(tool_name=TOOL)
    return rows.filter(conversation__in=listed_conversations(actor))


def by_chat(
    actor: Actor, rated: Rated, query: str, terms: Sequence[Term], most: int | None
) -> dict[UUID, Matches]:
    """Return the matches by conversation: the best conversation first and, in each, its best match.
    At most `most` of each conversation are to be shown.

    The date of an imported message is the one in its file, not that of the import.
    """
    hits = list(_hits(actor, rated, query, terms)) if rated else []
    chats: dict[UUID, list[Hit]] = defaultdict(list)
    for hit, chat in sorted(hits, reverse=True):
        chats[chat].append(hit)
    return {chat: _own_first(of_chat, terms, most) for chat, of_chat in chats.items()}


def _hits(
    actor: Actor, rated: Rated, query: str, terms: Sequence[Term]
) -> Iterator[tuple[Hit, UUID]]:
    words = [term.text for term in terms if not term.is_excluded]
    phrase = phrase_of(sought_in(query))
    typed = phrase.text if phrase else ""
    fields = ("created", "pk", "conversation", "branch", "turn", "position", "role")
    read = Substr("text", 1, max(READ, len(typed) + SIGNS_AROUND + 1))
    rows = list(findable(actor, rated).values_list(*fields, read))
    began = {row[3:5]: row[0] for row in rows if row[6] == Role.USER}
    for created, pk, chat, branch, turn, position, role, text in rows:
        turn_began = began.get((branch, turn), created)
        rank = (_is(text, typed), rated[pk], _brevity(text, words))
        yield Hit(*rank, turn_began, role == Role.USER, created, pk, position, text), chat


def _is(text: str, typed: str) -> bool:
    """Return whether a message is exactly what was typed, apart from signs around it."""
    is_short = len(text) <= len(typed) + SIGNS_AROUND
    return is_short and plain(text).strip(AROUND) == typed.strip(AROUND)


def _brevity(text: str, words: Sequence[str]) -> int:
    """Return 0 for a brief message, and one less each time that the length doubles. If words are in
    an attached file, the message counts as long. For a single word, the length tells nothing.
    """
    if len(words) < 2:
        return 0
    is_here = len(text) < LONG and all(map(plain(text).__contains__, words))
    return -((len(text) if is_here else LONG) // BRIEF).bit_length()


def _own_first(hits: Sequence[Hit], terms: Sequence[Term], most: int | None) -> Matches:
    """Put echoes after all other matches, but stop checking once enough matches are found."""
    own: list[int] = []
    echoes: list[int] = []
    persons = [hit for hit in hits if hit.is_persons]
    left = iter(hits)
    for hit in left:
        repeats = not hit.is_persons and is_echo(hit.text, terms, _said_before(hit, persons))
        (echoes if repeats else own).append(hit.key)
        if len(own) == most:
            break
    others = [hit.key for hit in left]
    shown_count = len(own) if most else len(hits)
    return Matches([*own, *echoes, *others], shown_count, len(others))


def _said_before(hit: Hit, persons: Iterable[Hit]) -> Iterator[str]:
    """Yield the words of a person's earlier matches that rank at least as high as this match."""
    before = (each for each in persons if each.position < hit.position and each.rank >= hit.rank)
    for each in islice(before, MOST_SAID):
        yield words(each.text)

"""Which matches are better than others: the words as they were typed, and whole words."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias
from uuid import UUID

from django.db.models.functions import Substr

from history.core.messages import Role
from history.models import Message
from history.services.access import Actor, listed_conversations
from history.services.search.letters import plain
from history.services.search.recalling import TOOL
from history.services.search.terms import Term, phrase_of, sought_in

# What may stand around a query that a message is.
SIGNS_AROUND, AROUND = 20, " \n\t.,:;!?\"'`*_()\u2026"

Rated: TypeAlias = Mapping[int, int]  # By message, how good it is.


def better(query: str, terms: Sequence[Term]) -> list[list[Term]]:
    """Return what the terms are in better matches, the best first: the phrase that was typed, whole
    words, and the phrase if its last word is only begun.
    """
    sought = [term for term in terms if not term.is_excluded]
    typed, excluded = _typed(query, sought), terms[len(sought) :]
    tiers = dict.fromkeys(map(tuple, (_whole(typed), _whole(sought), typed)))
    return [[*tier, *excluded] for tier in tiers if tier and list(tier) != sought]


def _typed(query: str, sought: Sequence[Term]) -> list[Term]:
    phrase = phrase_of(sought_in(query))
    return [phrase] if phrase and len(sought) > 1 else []


def _whole(sought: Sequence[Term]) -> list[Term]:
    """Close each term; in scripts without spaces nobody knows which words are whole."""
    return [term if term.is_dense else replace(term, is_closed=True) for term in sought]


def by_chat(actor: Actor, rated: Rated, query: str) -> dict[UUID, list[int]]:
    """Return the keys of the messages by conversation, both in the order of the best match.

    What was imported is as old as its file says, whenever that was read.
    """
    matches: dict[UUID, list[int]] = defaultdict(list)
    for pk, conversation in _best_first(actor, rated, query) if rated else ():
        matches[conversation].append(pk)
    return matches


def _best_first(actor: Actor, rated: Rated, query: str) -> Iterator[tuple[int, UUID]]:
    phrase = phrase_of(sought_in(query))
    typed = phrase.text if phrase else ""
    rows = Message.objects.filter(pk__in=rated).exclude(role=Role.SYSTEM)
    own = rows.filter(conversation__in=listed_conversations(actor)).exclude(tool_name=TOOL)
    said = Substr("text", 1, len(typed) + SIGNS_AROUND + 1)
    ranks = {
        (_is(text, typed), rated[pk], created, pk): conversation
        for created, pk, conversation, text in own.values_list(
            "created", "pk", "conversation", said
        )
    }
    for rank in sorted(ranks, reverse=True):
        yield rank[-1], ranks[rank]


def _is(said: str, typed: str) -> bool:
    """Whether a message says nothing else than what was typed, but for signs around it."""
    is_short = len(said) <= len(typed) + SIGNS_AROUND
    return is_short and plain(said).strip(AROUND) == typed.strip(AROUND)

"""Find chats in which all words occur, though only in the title and several messages together."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias
from uuid import UUID

from django.db.models import QuerySet

from history.core.transcript.messages import Role
from history.models import Branch, Conversation, Message
from history.services.search.corpus import Corpus
from history.services.search.letters import plain
from history.services.search.looking import look
from history.services.search.recalling import TOOL
from history.services.search.terms import Term
from history.services.search.titles import titled_with

MOST_HITS = 500  # How many of the newest messages with one of the terms are read.
# How many of the latest chats with the rarest term are searched for the other terms.
MOST_CHATS = 20
# How many terms are searched for everywhere; the longest ones are usually the rarest.
MOST_RARE = 2
SHOWN = 3  # How many messages of each chat are shown.

# A function that searches all of a person's texts.
Look: TypeAlias = Callable[[Sequence[Term]], Sequence[int]]
Held: TypeAlias = Mapping[int, set[Term]]  # The terms that each message contains, by its key.


def with_all_terms(
    chats: QuerySet[Conversation], everywhere: Look, terms: Sequence[Term]
) -> dict[UUID, list[int]]:
    """Return the best messages of chats that contain all terms. Chats with the most terms in a
    single message come first.
    """
    excluded = [term for term in terms if term.is_excluded]
    wanted_terms = [term for term in terms if not term.is_excluded]
    wanted_terms.sort(key=lambda term: len(term.text), reverse=True)
    if len(wanted_terms) < 2:
        return {}
    titles = _candidates(chats, everywhere, wanted_terms, excluded)
    by_chat = _held(list(titles), wanted_terms, excluded) if titles else {}
    whole = [chat for chat, own in by_chat.items() if _has_all(titles[chat], own, wanted_terms)]
    best = sorted(whole, key=lambda chat: _most(by_chat[chat]), reverse=True)
    return {chat: _telling_most(by_chat[chat]) for chat in best}


def _candidates(
    chats: QuerySet[Conversation],
    everywhere: Look,
    terms: Sequence[Term],
    excluded: Sequence[Term],
) -> dict[UUID, str]:
    """Return the titles of the chats that contain the rarest term, in a message or in the title."""
    hits = {term: everywhere([term, *excluded]) for term in terms[:MOST_RARE]}
    rarest = min(hits, key=lambda term: len(hits[term]))
    saying = Message.objects.filter(pk__in=hits[rarest][:MOST_HITS]).values("conversation")
    titles: dict[UUID, str] = {}
    for rows in (chats.filter(pk__in=saying), titled_with(chats, [rarest, *excluded])):
        latest = rows.order_by("-active").values_list("pk", "title")[:MOST_CHATS]
        titles |= {pk: plain(title) for pk, title in latest}
    return titles


def _held(
    chats: Sequence[UUID], terms: Sequence[Term], excluded: Sequence[Term]
) -> dict[UUID, dict[int, set[Term]]]:
    """Return, by chat and message, which of the terms the message contains."""
    branches = list(Branch.objects.filter(conversation__in=chats).values_list("pk", flat=True))
    branches = sorted(branches, reverse=True)[:MOST_HITS]
    corpus = Corpus(branches=branches)
    hits = {t: look(corpus, [t, *excluded], MOST_HITS).keys for t in terms}
    rows = Message.objects.filter(pk__in=set().union(*hits.values())).exclude(role=Role.SYSTEM)
    chat_of = dict(rows.exclude(tool_name=TOOL).values_list("pk", "conversation"))
    by_chat: dict[UUID, dict[int, set[Term]]] = defaultdict(lambda: defaultdict(set))
    for term, keys in hits.items():
        for key in chat_of.keys() & set(keys):
            by_chat[chat_of[key]][key].add(term)
    return by_chat


def _has_all(title: str, messages: Held, wanted_terms: Iterable[Term]) -> bool:
    terms = set().union(*messages.values())
    return all(term in terms or re.search(term.found, title) for term in wanted_terms)


def _most(messages: Held) -> tuple[int, int]:
    return max((len(terms), key) for key, terms in messages.items())


def _telling_most(messages: Held) -> list[int]:
    """Return a few messages that together contain as many of the terms as possible."""
    keys: list[int] = []
    terms: set[Term] = set()
    for key in sorted(messages, key=lambda key: (len(messages[key]), key), reverse=True):
        if messages[key] - terms:
            keys.append(key)
            terms |= messages[key]
    return keys[:SHOWN]

"""Find what was said in a person's chats: first the words as they were typed, then every word in
one message and, if no message has them all, chats in which every word occurs somewhere.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias
from uuid import UUID

from django.db.models import QuerySet

from history.models import Branch, Message
from history.services.access import Actor, listed_conversations
from history.services.search.all_terms import with_all_terms
from history.services.search.corpus import Corpus
from history.services.search.excluding import with_excluded
from history.services.search.looking import FoundKeys, look
from history.services.search.results.ahead import Ahead, ahead
from history.services.search.results.found import FoundChats, found_chats
from history.services.search.results.older import Older
from history.services.search.results.ranking import Matches, better, by_chat, findable
from history.services.search.terms import Term, searched_terms

MOST_HITS = 500  # The most messages that one page of results considers.
# How many of a visitor's newest branches are searched, since they have no account.
MOST_BRANCHES = 500
SHOWN = 3  # How many messages of each chat are shown.
# How many messages make a page of one chat's matches, which shows all of them.
SHOWN_OF_ONE = 100

Found: TypeAlias = dict[UUID, Matches]


def find(
    actor: Actor, query: str, within: UUID | None = None, older: Older | None = None
) -> FoundChats:
    """Find the actor's chats in which a message contains all terms, or search only the chat
    `within`. Chats with a term that a minus excludes are left out.

    First come messages that are the query itself, then those with the query as a phrase of whole
    words, with all its words as whole words, with the phrase whose last word is only begun, and
    then all others; among equals, short messages come first if there are several terms, and then
    the latest. In a chat, a person's message comes before answers that only repeat it. If no
    message has all terms, chats are found whose messages and title contain them together.
    """
    terms, corpus = searched_terms(query), _corpus(actor, within, older)
    most = SHOWN_OF_ONE if within else MOST_HITS
    all_hits = look(corpus, terms, MOST_HITS)
    hits = all_hits.newest(most)
    tiers = better(query, terms) if hits.keys else []
    best = [look(corpus, tier, most) for tier in tiers]
    everything = replace(corpus, before=None, without=())
    seen = _seen(everything, tiers, most) if older else set()
    rated = _rated(hits, best, seen)
    matches = by_chat(actor, rated, query, terms, None if within else SHOWN)
    if within:
        matches = _with_further(actor, matches, set(all_hits.keys).difference(rated, seen))
    if not (matches or older):
        matches = _with_all_terms(actor, corpus, terms, within)
    left_out = with_excluded(matches, terms)
    matches = {chat: keys for chat, keys in matches.items() if chat not in left_out}
    typed = [term for tier, each in zip(tiers, best, strict=True) if each.keys for term in tier]
    marked = dict.fromkeys(term for term in [*typed, *terms] if not term.is_excluded)
    page = FoundChats(found_chats(actor, matches, list(marked)))
    page.is_counted = all_hits.end is None
    if next_page := _older(hits.end, page, older):
        seen = seen or {key for each in best for key in each.keys}
        _lead_on(page, next_page, ahead(actor, _corpus(actor, within, next_page), terms, seen))
    return page


def _with_further(actor: Actor, matches: Found, keys: set[int]) -> Found:
    """Also count the matches in a chat that only later pages show."""
    further = findable(actor, keys).count() if keys else 0
    return {chat: replace(hits, further=further) for chat, hits in matches.items()}


def _lead_on(page: FoundChats, older: Older, what: Ahead) -> None:
    page.older = None if what is Ahead.NOTHING else older
    page.is_known = what is Ahead.MATCHES


def _rated(hits: FoundKeys, best: Sequence[FoundKeys], seen: set[int]) -> dict[int, int]:
    """Return each match with its grade, except those `seen`; `best` begins with the best grade."""
    rated: dict[int, int] = {}
    for grade, each in enumerate([hits, *reversed(best)]):
        rated |= dict.fromkeys(each.keys, grade)
    return {key: grade for key, grade in rated.items() if key not in seen}


def _seen(everything: Corpus, tiers: Sequence[Sequence[Term]], most: int) -> set[int]:
    """Return the better matches, all of which the first page shows, however old they are."""
    return {key for tier in tiers for key in look(everything, tier, most).keys}


def _older(end: int | None, page: FoundChats, older: Older | None) -> Older | None:
    """Return where the next page begins. It leaves out chats with better matches than those shown,
    because each of these links to all its matches.
    """
    if end is None:
        return None
    before = older.left_out if older else ()
    return Older(end, (*before, *(chat.texts[0].message.pk for chat in page if chat.leads_on)))


def _with_all_terms(
    actor: Actor, corpus: Corpus, terms: Sequence[Term], within: UUID | None
) -> Found:
    chats = listed_conversations(actor)
    own = chats.filter(pk=within) if within else chats
    keys_by_chat = with_all_terms(own, lambda some: look(corpus, some, MOST_HITS).keys, terms)
    return {chat: Matches(keys, len(keys)) for chat, keys in keys_by_chat.items()}


def found_keys(actor: Actor, terms: Sequence[Term]) -> Sequence[int]:
    """Return the newest messages with all terms. The caller must check who may read them."""
    return look(_corpus(actor, None, None), terms, MOST_HITS).keys


def _corpus(actor: Actor, within: UUID | None, older: Older | None) -> Corpus:
    """Return what to search: an account's messages; for a chat or a visitor, those of branches."""
    before, without = (older.before, _branches_of(older.left_out)) if older else (None, [])
    if actor.user and not within:
        return Corpus(actor.user.pk, before=before, without=without)
    rows: QuerySet[Branch] = Branch.objects.filter(conversation__in=listed_conversations(actor))
    own = rows.filter(conversation=within) if within else rows
    branches = own.order_by("-pk").values_list("pk", flat=True)[:MOST_BRANCHES]
    return Corpus(branches=list(branches), before=before, without=without)


def _branches_of(messages: Sequence[int]) -> list[int]:
    chats = Message.objects.filter(pk__in=messages).values("conversation")
    branches = Branch.objects.filter(conversation__in=chats).order_by("-pk")
    return list(branches.values_list("pk", flat=True)[:MOST_BRANCHES]) if messages else []

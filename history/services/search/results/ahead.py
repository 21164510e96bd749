"""Find out whether messages older than a page's match, so that no empty page is offered."""

from collections.abc import Collection, Sequence
from enum import Enum, auto

from history.services.access import Actor
from history.services.search.corpus import Corpus
from history.services.search.excluding import with_excluded
from history.services.search.looking import BATCH, look
from history.services.search.results.ranking import findable
from history.services.search.terms import Term

MOST_AHEAD = 100  # The most messages that are looked at.


class Ahead(Enum):
    """What follows a page. `UNREAD`: older messages may match, but only reading them can tell."""

    NOTHING = auto()
    MATCHES = auto()
    UNREAD = auto()


def ahead(actor: Actor, corpus: Corpus, terms: Sequence[Term], seen: Collection[int]) -> Ahead:
    """Look for matches as the next page would do. `seen` are keys found for the first page."""
    hits = look(corpus, terms, MOST_AHEAD, BATCH)
    rows = findable(actor, set(hits.keys).difference(seen))
    chats = set(rows.values_list("conversation", flat=True)) if hits.keys else set()
    if chats - with_excluded(chats, terms):
        return Ahead.MATCHES
    return Ahead.NOTHING if hits.end is None else Ahead.UNREAD

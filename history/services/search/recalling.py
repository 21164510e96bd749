"""Find the messages on a path that best answer a query, with the database's own index."""

from collections import defaultdict
from collections.abc import Sequence
from math import log
from typing import TypeAlias

from agents.tools import FoundMessage
from history.core.transcript.messages import Role
from history.models import Branch, Message
from history.models.message import MessageQuerySet
from history.services.path.marks import marks_on
from history.services.path.reading import on_path
from history.services.search.corpus import Corpus
from history.services.search.excerpts import excerpt, searchable
from history.services.search.looking import look
from history.services.search.terms import Term, terms_of

TOOL = "recall"  # The tool's results are not searched: they only repeat earlier messages.
# How many of a term's newest matches are read: a more frequent term is useless for ranking.
MOST_HITS = 2_000

Hits: TypeAlias = dict[Term, list[int]]  # Keys of messages by term.


def recall(branch: Branch, turn: int, query: str, most: int) -> list[FoundMessage]:
    """Search the path before that turn, best matches first: more and rarer terms, then newer
    messages.

    This finds no message that a person excluded, and none that is not on the branch's path.
    """
    terms = terms_of(query)
    hits = _hits_in(_searched(branch, turn), [span[0] for span in branch.spans()], terms)
    best = _best(hits)[:most]
    messages = Message.objects.in_bulk(best)
    return [_found(messages[pk], terms) for pk in best]


def _searched(branch: Branch, turn: int) -> MessageQuerySet:
    rows = Message.objects.filter(on_path(branch), turn__lt=turn)
    excluded = marks_on(branch).exclusions
    return rows.filter(withheld=False).exclude(tool_name=TOOL).exclude(segment__in=excluded)


def _best(hits: Hits) -> list[int]:
    scores: dict[int, float] = defaultdict(float)
    for keys in hits.values():
        for pk in keys:
            scores[pk] += 1 + log(MOST_HITS / len(keys))
    return sorted(scores, key=lambda pk: (scores[pk], pk), reverse=True)


def _found(message: Message, terms: Sequence[Term]) -> FoundMessage:
    return FoundMessage(message.turn, _who(message), excerpt(searchable(message), terms))


def _who(message: Message) -> str:
    return f"tool {message.tool_name}" if message.role == Role.TOOL else message.role


def _hits_in(rows: MessageQuerySet, branches: Sequence[int], terms: Sequence[Term]) -> Hits:
    """Return, for each term, the keys of those `rows` that have it; all are on these branches."""
    hits = {term: look(Corpus(branches=branches), [term], MOST_HITS).keys for term in terms}
    own = set(rows.filter(pk__in=set().union(*hits.values())).values_list("pk", flat=True))
    return {term: [pk for pk in keys if pk in own] for term, keys in hits.items()}

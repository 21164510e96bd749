"""Find the chats that contain a term which the query excludes by a minus."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from uuid import UUID

from history.core.transcript.messages import Role
from history.models import Branch, Conversation
from history.services.search.corpus import Corpus
from history.services.search.looking import matching
from history.services.search.recalling import TOOL
from history.services.search.terms import Term
from history.services.search.titles import titled_with

STRETCH = 500  # The most branches for which one statement asks.


def with_excluded(chats: Collection[UUID], terms: Sequence[Term]) -> set[UUID]:
    """Return those of the chats that contain an excluded term, in a message or in the title."""
    excluded = [replace(term, is_excluded=False) for term in terms if term.is_excluded]
    matches: set[UUID] = set()
    for term in excluded if chats else ():
        matches.update(_titled(chats, term))
        matches.update(_saying(chats, term))
    return matches


def _titled(chats: Collection[UUID], term: Term) -> Iterator[UUID]:
    rows = Conversation.objects.filter(pk__in=chats)
    yield from titled_with(rows, [term]).values_list("pk", flat=True)


def _saying(chats: Collection[UUID], term: Term) -> Iterator[UUID]:
    """Yield the chats with the term in a message that a search could find."""
    branches = list(Branch.objects.filter(conversation__in=chats).values_list("pk", flat=True))
    for start in range(0, len(branches), STRETCH):
        rows = matching(Corpus(branches=branches[start : start + STRETCH]), [term])
        own = rows.exclude(role=Role.SYSTEM).exclude(tool_name=TOOL)
        yield from own.values_list("conversation", flat=True)

"""Find the messages of one path that best answer a query, with the parts that match."""

from collections import defaultdict
from collections.abc import Sequence
from math import log

from agents.tools import FoundMessage
from history.core.messages import Role
from history.models import Branch, Message
from history.models.message import MessageQuerySet
from history.services.path.marks import marks_on
from history.services.path.reading import on_path
from history.services.recall.lookup import MOST_HITS, Hits, hits_in
from history.services.recall.terms import Term, terms_of

TOOL = "recall"  # What recall itself answered earlier is not a fact of the conversation.
BEFORE, AFTER = 150, 350  # Characters of an excerpt, around the first term.
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def search(branch: Branch, turn: int, query: str, most: int) -> list[FoundMessage]:
    """Search the path before that turn, best first: more and rarer terms, then newer ones.

    Messages that a person excluded are not found, nor any that are not on the branch's path.
    """
    terms = terms_of(query)
    hits = hits_in(_searched(branch, turn), [span[0] for span in branch.spans()], terms)
    best = _best(hits)[:most]
    messages = Message.objects.in_bulk(best)
    return [_found(messages[pk], terms) for pk in best]


def _searched(branch: Branch, turn: int) -> MessageQuerySet:
    rows = Message.objects.filter(on_path(branch), turn__lt=turn)
    excluded = marks_on(branch).exclusions
    return rows.exclude(tool_name=TOOL).exclude(segment__in=excluded)


def _best(hits: Hits) -> list[int]:
    scores: dict[int, float] = defaultdict(float)
    for found in hits.values():
        for pk in found:
            scores[pk] += 1 + log(MOST_HITS / len(found))
    return sorted(scores, key=lambda pk: (scores[pk], pk), reverse=True)


def _found(message: Message, terms: Sequence[Term]) -> FoundMessage:
    return FoundMessage(message.turn, _who(message), _excerpt(message.text, terms))


def _who(message: Message) -> str:
    return f"tool {message.tool_name}" if message.role == Role.TOOL else message.role


def _excerpt(text: str, terms: Sequence[Term]) -> str:
    """Write an excerpt on one line, with an ellipsis where it was cut."""
    places = [place for term in terms if (place := text.lower().find(term.text)) >= 0]
    start = max(0, min(places, default=0) - BEFORE)
    end = start + BEFORE + AFTER
    cut = f"{ELLIPSIS if start else ''}{text[start:end]}{ELLIPSIS if end < len(text) else ''}"
    return " ".join(cut.split())

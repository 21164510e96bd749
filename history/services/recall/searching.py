"""Find the messages of one path that best answer a query, by the database's own index."""

from collections import defaultdict
from collections.abc import Sequence
from functools import reduce
from math import log
from operator import or_
from typing import TypeAlias

from django.db import connections
from django.db.models import Q
from django.db.models.expressions import RawSQL

from agents.tools import FoundMessage
from history.core.messages import Role
from history.models import Branch, Message
from history.models.message import MessageQuerySet
from history.services.path.marks import marks_on
from history.services.path.reading import on_path
from history.services.recall.index import scope_of
from history.services.recall.terms import SHORT, Term, terms_of

TOOL = "recall"  # What recall itself answered earlier is not a fact of the conversation.
BEFORE, AFTER = 150, 350  # Characters of an excerpt, around the first term.
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
MOST_HITS = 2_000  # The newest matches of one term: a term in more messages is useless for ranking.
SQLITE = "SELECT rowid FROM history_recall WHERE history_recall MATCH %s"
POSTGRESQL = (  # Materialized, or old statistics make it compute the words of every row.
    "WITH hits AS MATERIALIZED (SELECT id FROM history_message"
    " WHERE history_recall_words(branch_id, text) @@ %s::tsquery AND strpos(text, %s) > 0"
    " UNION SELECT id FROM history_message WHERE parts <> '[]'::jsonb"
    " AND history_recall_words(branch_id, history_recall_attached(parts)) @@ %s::tsquery"
    " AND strpos(history_recall_attached(parts), %s) > 0) SELECT id FROM hits"
)

Hits: TypeAlias = dict[Term, list[int]]  # Keys of messages.


def search(branch: Branch, turn: int, query: str, most: int) -> list[FoundMessage]:
    """Search the path before that turn, best first: more and rarer terms, then newer ones.

    Messages that a person excluded are not found, nor any that are not on the branch's path.
    """
    terms = terms_of(query)
    hits = _hits_in(_searched(branch, turn), [span[0] for span in branch.spans()], terms)
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
    return FoundMessage(message.turn, _who(message), _excerpt(_searchable(message), terms))


def _searchable(message: Message) -> str:
    """Return its text with the names and the texts of its images and files."""
    files = (part for part in message.parts if part["kind"] != "reasoning")
    attached = (part.get(field, "") for part in files for field in ("name", "text"))
    return "\n".join([message.text, *filter(None, attached)])


def _who(message: Message) -> str:
    return f"tool {message.tool_name}" if message.role == Role.TOOL else message.role


def _excerpt(text: str, terms: Sequence[Term]) -> str:
    """Write an excerpt on one line, with an ellipsis where it was cut."""
    places = [place for term in terms if (place := text.lower().find(term.text)) >= 0]
    start = max(0, min(places, default=0) - BEFORE)
    end = start + BEFORE + AFTER
    cut = f"{ELLIPSIS if start else ''}{text[start:end]}{ELLIPSIS if end < len(text) else ''}"
    return " ".join(cut.split())


def _hits_in(rows: MessageQuerySet, branches: Sequence[int], terms: Sequence[Term]) -> Hits:
    """Return, by term, which of the rows contain it. All of them must be of these branches."""
    if connections[rows.db].vendor == "postgresql":
        return {term: _newest(rows.filter(_on_postgresql(branches, term))) for term in terms}
    indexed = [term for term in terms if len(term.text) >= SHORT]
    found = {term: _newest(rows.filter(_on_sqlite(branches, term))) for term in indexed}
    return found | _scanned(rows, [term for term in terms if term not in found])


def _newest(rows: MessageQuerySet) -> list[int]:
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:MOST_HITS])


def _on_sqlite(branches: Sequence[int], term: Term) -> Q:
    """Match on SQLite. A term has letters and digits only, so none of FTS5's signs."""
    scopes = " OR ".join(f'"{scope_of(branch)}"' for branch in branches)
    return Q(pk__in=RawSQL(SQLITE, [f'scope : ({scopes}) AND text : "{term.text}"']))


def _on_postgresql(branches: Sequence[int], term: Term) -> Q:
    """Match words beginning with the term; for dense scripts, its single characters."""
    scopes = " | ".join(f"'@{branch}'" for branch in branches)
    characters = " & ".join(f"'{character}'" for character in term.text)
    words, part = (characters, term.text) if term.is_dense else (f"'{term.text}':*", "")
    return Q(pk__in=RawSQL(POSTGRESQL, [f"({scopes}) & {words}", part] * 2))


def _scanned(rows: MessageQuerySet, terms: Sequence[Term]) -> Hits:
    """Scan once for all terms under three characters, which SQLite's index cannot contain."""
    if not terms:
        return {}
    holding = rows.filter(reduce(or_, (Q(text__contains=term.text) for term in terms)))
    texts = [(pk, text.lower()) for pk, text in holding.order_by("-pk").values_list("pk", "text")]
    return {term: [pk for pk, text in texts if term.text in text][:MOST_HITS] for term in terms}

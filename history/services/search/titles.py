"""Find chats by their titles, in the same way as messages by their texts."""

import re
from collections.abc import Sequence

from django.db.models import Q, QuerySet

from history.models import Conversation
from history.services.search.index import Plain
from history.services.search.letters import plain
from history.services.search.terms import Term, searched_terms


def titled(rows: QuerySet[Conversation], query: str) -> QuerySet[Conversation]:
    """Return the chats whose titles contain all terms; a query without letters is searched for as
    typed.
    """
    return titled_with(rows, searched_terms(query) or [Term(plain(query), is_phrase=True)])


def titled_with(rows: QuerySet[Conversation], terms: Sequence[Term]) -> QuerySet[Conversation]:
    """Return the chats whose titles contain all terms."""
    return rows.alias(letters=Plain("title")).filter(*map(_asked, terms))


def _asked(term: Term) -> Q:
    return ~_has(term) if term.is_excluded else _has(term)


def _has(term: Term) -> Q:
    """Return the condition that a title has a term, if possible without a regular expression."""
    if term.found == re.escape(term.text):
        return Q(letters__contains=term.text)
    return Q(letters__regex=term.found)

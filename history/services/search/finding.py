"""Find what was said in all of a person's chats: every word, the newest first."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from history.core.messages import Role
from history.models import Branch, Conversation, Message
from history.services.access import Actor, listed_conversations
from history.services.search.excerpts import excerpt, searchable
from history.services.search.index import newest, text_index
from history.services.search.recalling import TOOL
from history.services.search.terms import Term, terms_of

MOST_HITS = 500  # The newest messages with all terms: whoever seeks an older one adds a word.
MOST_BRANCHES = 500  # The newest ones of a visitor, for whom no account leads to their texts.
SHOWN = 3  # Messages of one chat.
BEFORE, AFTER = 40, 120  # Characters of an excerpt.


@dataclass(frozen=True, slots=True)
class FoundText:
    """A message that contains the terms. Every second piece of its excerpt is a match.

    `is_elsewhere`: it belongs to another version of the chat than the one that is open.
    """

    message: Message
    pieces: tuple[str, ...]
    is_elsewhere: bool


@dataclass(frozen=True, slots=True)
class FoundChat:
    """A chat with its newest matches, of which it has `count`."""

    conversation: Conversation
    texts: tuple[FoundText, ...]
    count: int

    @property
    def more(self) -> int:
        """How many matches are not shown."""
        return self.count - len(self.texts)


def find(actor: Actor, query: str) -> list[FoundChat]:
    """Find the actor's chats in which one message contains all terms, the latest match first."""
    terms = terms_of(query)
    matches = _matches(actor, terms) if terms else {}
    shown = Message.objects.in_bulk([pk for keys in matches.values() for pk in keys[:SHOWN]])
    chats = listed_conversations(actor).select_related("branch").in_bulk(list(matches))
    return [
        _chat(chats[key], [shown[pk] for pk in keys[:SHOWN]], len(keys), terms)
        for key, keys in matches.items()
    ]


def _matches(actor: Actor, terms: Sequence[Term]) -> dict[UUID, list[int]]:
    """Return the keys of the messages by conversation, both newest first."""
    rows = Message.objects.filter(pk__in=_hits(actor, terms)).exclude(role=Role.SYSTEM)
    own = rows.filter(conversation__in=listed_conversations(actor)).exclude(tool_name=TOOL)
    matches: dict[UUID, list[int]] = defaultdict(list)
    for conversation, pk in own.order_by("-pk").values_list("conversation", "pk"):
        matches[conversation].append(pk)
    return matches


def _hits(actor: Actor, terms: Sequence[Term]) -> list[int]:
    """Return the newest messages with all terms, by the index alone: access is asked for next."""
    if actor.user:
        return newest(*text_index().of_owner(actor.user.pk, terms), MOST_HITS)
    branches = _branches(actor)
    return newest(*text_index().of_branches(branches, terms), MOST_HITS) if branches else []


def _branches(actor: Actor) -> list[int]:
    rows: QuerySet[Branch] = Branch.objects.filter(conversation__in=listed_conversations(actor))
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:MOST_BRANCHES])


def _chat(
    conversation: Conversation, messages: Sequence[Message], count: int, terms: Sequence[Term]
) -> FoundChat:
    texts = (_text(conversation.branch, message, terms) for message in messages)
    return FoundChat(conversation, tuple(texts), count)


def _text(branch: Branch | None, message: Message, terms: Sequence[Term]) -> FoundText:
    cut = excerpt(searchable(message), terms, BEFORE, AFTER)
    is_open = branch is not None and branch.has_on_path(message.branch_id, message.position)
    return FoundText(message, _pieces(cut, terms), not is_open)


def _pieces(text: str, terms: Sequence[Term]) -> tuple[str, ...]:
    matches = "|".join(re.escape(term.text) for term in terms)
    return tuple(re.split(f"({matches})", text, flags=re.IGNORECASE))

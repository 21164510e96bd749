"""What a search found, with an excerpt of each message."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from history.models import Branch, Conversation, Message
from history.services.access import Actor, listed_conversations
from history.services.search.excerpts import cut_out, excerpt, pieces, searchable, start_of_place
from history.services.search.letters import composed
from history.services.search.results.markdown import fence_at, without_markdown
from history.services.search.results.older import Older
from history.services.search.terms import Term

BEFORE, AFTER = 40, 120  # Characters of an excerpt.
MARGIN = 300  # Characters around an excerpt, from which Markdown may be left out.


@dataclass(frozen=True, slots=True)
class FoundText:
    """A message that contains the terms. Every second piece of its excerpt is a match.

    `is_elsewhere`: it is on another branch than the one that is open.
    """

    message: Message
    pieces: tuple[str, ...]
    is_elsewhere: bool


@dataclass(frozen=True, slots=True)
class FoundChat:
    """A chat with its best matches, of which it has `count` among those that were looked at."""

    conversation: Conversation
    texts: tuple[FoundText, ...]
    count: int

    @property
    def more(self) -> int:
        """How many matches are not shown."""
        return self.count - len(self.texts)


class FoundChats(list[FoundChat]):
    """A page of the chats that were found. `older` leads on to the next one, if there is one."""

    older: Older | None = None

    @property
    def is_cut(self) -> bool:
        """Whether older messages than these were not looked at."""
        return self.older is not None


def found_chats(
    actor: Actor, matches: Mapping[UUID, Sequence[int]], most: int | None, terms: Sequence[Term]
) -> Iterator[FoundChat]:
    """Yield these chats in their order, with at most as many of their matches."""
    shown = Message.objects.in_bulk([pk for keys in matches.values() for pk in keys[:most]])
    chats = listed_conversations(actor).select_related("branch").in_bulk(list(matches))
    for key, keys in matches.items():
        yield _chat(chats[key], [shown[pk] for pk in keys[:most]], len(keys), terms)


def _chat(
    conversation: Conversation, messages: Sequence[Message], count: int, terms: Sequence[Term]
) -> FoundChat:
    texts = (_text(conversation.branch, message, terms) for message in messages)
    return FoundChat(conversation, tuple(texts), count)


def _text(branch: Branch | None, message: Message, terms: Sequence[Term]) -> FoundText:
    is_open = branch is not None and branch.has_on_path(message.branch_id, message.position)
    return FoundText(message, _excerpt(searchable(message), terms), not is_open)


def _excerpt(text: str, terms: Sequence[Term]) -> tuple[str, ...]:
    """Show plain words, or what was typed if only that contains a term, as a link's address.

    Of a few letters that begin a word no term is there as a whole word.
    """
    text = composed(text)
    place = start_of_place(text, terms, BEFORE, AFTER)
    start = max(0, place - MARGIN)
    near = cut_out(text, start, place + BEFORE + AFTER + MARGIN)
    shown = without_markdown(fence_at(text, start) + near)
    read = pieces(excerpt(shown, terms, BEFORE, AFTER), terms)
    telling = [term for term in terms if term.is_telling]
    if len(read) > 1 or len(pieces(near, telling)) == 1:
        return read
    return pieces(excerpt(near, terms, BEFORE, AFTER), terms)

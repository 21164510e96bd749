"""What a search found, with an excerpt from each message."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from history.core.transcript.messages import Role
from history.models import Conversation, Message
from history.services.access import Actor, listed_conversations
from history.services.search.excerpts import cut_out, excerpt, pieces, searchable, start_of_place
from history.services.search.letters import composed
from history.services.search.results.markdown import fence_at, without_markdown
from history.services.search.results.older import Older
from history.services.search.results.ranking import Matches
from history.services.search.results.speakers import speakers
from history.services.search.terms import Term

# Characters before a match, and from it on. The narrowest list shows 34 of them, on two lines.
BEFORE, AFTER = 30, 120
MARGIN = 300  # Characters around an excerpt that are read to recognise its Markdown.


@dataclass(frozen=True, slots=True)
class FoundText:
    """A message that contains the terms. Every second piece of its excerpt is a match.

    `speaker`: the name of the agent or the tool that said it, if known. `is_elsewhere`: it is not
    on the open branch, but on another.
    """

    message: Message
    speaker: str
    pieces: tuple[str, ...]
    is_elsewhere: bool


@dataclass(frozen=True, slots=True)
class FoundChat:
    """A chat with its best matches. `count`: how many matches it has among the messages searched.

    `leads_on`: some of the matches that are not shown may say more than those shown.
    """

    conversation: Conversation
    texts: tuple[FoundText, ...]
    count: int
    leads_on: bool

    @property
    def more(self) -> int:
        """How many matches of the chat are not shown."""
        return self.count - len(self.texts)


class FoundChats(list[FoundChat]):
    """A page of the chats that were found. `older` leads to the next page, if there is one.

    `is_known`: the next page has a match; otherwise it has texts that may match, but were not read.
    `is_counted`: the chats have no other matches than those counted.
    """

    older: Older | None = None
    is_known = False
    is_counted = True

    @property
    def is_cut(self) -> bool:
        """Whether messages older than those on this page were not searched."""
        return self.older is not None


def found_chats(
    actor: Actor, matches: Mapping[UUID, Matches], terms: Sequence[Term]
) -> Iterator[FoundChat]:
    """Yield these chats in their order, with the matches to show."""
    keys = [key for hits in matches.values() for key in hits.keys[: hits.shown_count]]
    rows = Message.objects.in_bulk(keys)
    chats = listed_conversations(actor).select_related("branch", "agent").in_bulk(list(matches))
    texts = _Texts(terms, speakers(rows.values()))
    for chat, hits in matches.items():
        messages = [rows[key] for key in hits.keys[: hits.shown_count]]
        cut = tuple(texts.of(chats[chat], message) for message in messages)
        count = len(hits.keys) + hits.further
        yield FoundChat(chats[chat], cut, count, hits.others > 0)


@dataclass(frozen=True, slots=True)
class _Texts:
    terms: Sequence[Term]
    speakers: Mapping[int, str]

    def of(self, conversation: Conversation, message: Message) -> FoundText:
        branch = conversation.branch
        is_open = branch is not None and branch.has_on_path(message.branch_id, message.position)
        cut = _excerpt(searchable(message), self.terms)
        return FoundText(message, self._speaker(conversation, message), cut, not is_open)

    def _speaker(self, conversation: Conversation, message: Message) -> str:
        speaker = self.speakers.get(message.pk, "")
        is_agents = message.role == Role.ASSISTANT and not message.imported
        return speaker or (conversation.agent.name if is_agents else "")


def _excerpt(text: str, terms: Sequence[Term]) -> tuple[str, ...]:
    """Show plain words, or the Markdown if a term is only in it, as in a link's address.

    A term of only a few letters is no reason to show the Markdown.
    """
    text = composed(text)
    place = start_of_place(text, terms, BEFORE, AFTER)
    start = max(0, place - MARGIN)
    near = cut_out(text, start, place + BEFORE + AFTER + MARGIN)
    plain_text = without_markdown(fence_at(text, start) + near)
    read = pieces(excerpt(plain_text, terms, BEFORE, AFTER), terms)
    telling = [term for term in terms if term.is_telling]
    if len(read) > 1 or len(pieces(near, telling)) == 1:
        return read
    return pieces(excerpt(near, terms, BEFORE, AFTER), terms)

"""Find what was said in a person's chats: the words as they were typed, then every word in one
message, and if no message has them, chats that have every word somewhere.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Substr

from history.core.messages import Role
from history.models import Branch, Conversation, Message
from history.services.access import Actor, listed_conversations
from history.services.search.excerpts import cut_out, excerpt, pieces, searchable, start_of_place
from history.services.search.excluding import with_excluded
from history.services.search.index import newest, text_index
from history.services.search.letters import composed, plain
from history.services.search.markdown import fence_at, without_markdown
from history.services.search.recalling import TOOL
from history.services.search.terms import Term, phrase_of, searched_terms, sought_in
from history.services.search.together import together

MOST_HITS = 500  # The newest messages with all terms: whoever seeks an older one adds a word.
MOST_BRANCHES = 500  # The newest ones of a visitor, for whom no account leads to their texts.
SHOWN = 3  # Messages of each chat.
SHOWN_OF_ONE = 100  # Messages, if one chat is searched.
BEFORE, AFTER = 40, 120  # Characters of an excerpt.
SIGNS_AROUND, AROUND = (
    20,
    " \n\t.,:;!?\"'`*_()\u2026",
)  # What may stand around a query that a message is.
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
    """A chat with its newest matches, of which it has `count`."""

    conversation: Conversation
    texts: tuple[FoundText, ...]
    count: int

    @property
    def more(self) -> int:
        """How many matches are not shown."""
        return self.count - len(self.texts)


class FoundChats(list[FoundChat]):
    """The chats that were found. `is_cut`: older matches than these were not looked at."""

    is_cut = False


def find(actor: Actor, query: str, within: UUID | None = None) -> FoundChats:
    """Find the actor's chats in which one message contains all terms, or one of these chats. What
    a minus excludes is nowhere in them.

    Messages that are the query come first, those with the whole of it as it was typed, and then
    the latest. If there is none, chats are found in which several messages and the title have all
    terms together.
    """
    terms, phrase = searched_terms(query), phrase_of(sought_in(query))
    branches = _branches(actor, within)
    hits = _hits(actor, branches, terms) if terms else []
    sought = [term for term in terms if not term.is_excluded]
    phrases = [phrase] if hits and phrase and len(sought) > 1 else []
    typed = [*phrases, *terms[len(sought) :]]
    exact = _hits(actor, branches, typed)[:MOST_HITS] if phrases else []
    known = dict.fromkeys([*exact, *hits[:MOST_HITS]])
    matches = _matches(actor, known, set(exact), phrase.text if phrase else "")
    matches = matches or _together(actor, branches, terms, within)
    left_out = with_excluded(matches, terms)
    matches = {chat: keys for chat, keys in matches.items() if chat not in left_out}
    most = SHOWN_OF_ONE if within else SHOWN
    marked = [*phrases, *sought] if exact else sought
    found = FoundChats(_chats(actor, matches, most, marked))
    found.is_cut = len(hits) > MOST_HITS
    return found


def _together(
    actor: Actor, branches: Sequence[int] | None, terms: Sequence[Term], within: UUID | None
) -> dict[UUID, list[int]]:
    chats = listed_conversations(actor)
    own = chats.filter(pk=within) if within else chats
    return together(own, lambda sought: _hits(actor, branches, sought), terms)


def found_keys(actor: Actor, terms: Sequence[Term]) -> list[int]:
    """Return the newest messages with all terms, before access to them is asked for."""
    return _hits(actor, _branches(actor, None), terms)


def _chats(
    actor: Actor, matches: dict[UUID, list[int]], most: int, terms: Sequence[Term]
) -> Iterator[FoundChat]:
    shown = Message.objects.in_bulk([pk for keys in matches.values() for pk in keys[:most]])
    chats = listed_conversations(actor).select_related("branch").in_bulk(list(matches))
    for key, keys in matches.items():
        yield _chat(chats[key], [shown[pk] for pk in keys[:most]], len(keys), terms)


def _matches(
    actor: Actor, hits: Iterable[int], exact: Container[int], typed: str
) -> dict[UUID, list[int]]:
    """Return the keys of the messages by conversation, both in the order of the best match.

    What was imported is as old as its file says, whenever that was read.
    """
    rows = Message.objects.filter(pk__in=hits).exclude(role=Role.SYSTEM)
    own = rows.filter(conversation__in=listed_conversations(actor)).exclude(tool_name=TOOL)
    matches: dict[UUID, list[int]] = defaultdict(list)
    said = Substr("text", 1, len(typed) + SIGNS_AROUND + 1)
    rated = own.values_list("created", "pk", "conversation", said) if hits else ()
    best = sorted(
        rated, key=lambda row: (_is(row[3], typed), row[1] in exact, *row[:2]), reverse=True
    )
    for _, pk, conversation, _ in best:
        matches[conversation].append(pk)
    return matches


def _is(said: str, typed: str) -> bool:
    """Whether a message says nothing else than what was typed, but for signs around it."""
    is_short = len(said) <= len(typed) + SIGNS_AROUND
    return is_short and plain(said).strip(AROUND) == typed.strip(AROUND)


def _hits(actor: Actor, branches: Sequence[int] | None, terms: Sequence[Term]) -> list[int]:
    """Return the newest messages with all terms, and one more if there is one. They are found by
    the index alone: access is asked for next.
    """
    if branches is None:
        assert actor.user
        return _owned(actor.user.pk, terms)
    return newest(*text_index().of_branches(branches, terms), MOST_HITS + 1) if branches else []


def _owned(owner: int, terms: Sequence[Term]) -> list[int]:
    look = text_index()
    recent = look.newest_of_owner(owner, terms)
    found = newest(*recent, MOST_HITS + 1) if recent else []
    return found if len(found) > MOST_HITS else newest(*look.of_owner(owner, terms), MOST_HITS + 1)


def _branches(actor: Actor, within: UUID | None) -> list[int] | None:
    """Return the branches that are searched; none if all texts of an account are."""
    rows: QuerySet[Branch] = Branch.objects.filter(conversation__in=listed_conversations(actor))
    if within:
        rows = rows.filter(conversation=within)
    elif actor.user:
        return None
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:MOST_BRANCHES])


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

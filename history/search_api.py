"""Find what was said in all of your chats, over HTTP."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Query, Router, Schema

from history.records import found_record
from history.services.access import access_conversation, actor_of
from history.services.search import Older, corrected, find

MOST_LETTERS = 6_000  # The most characters of `older`, which names up to 300 chats.

router = Router(tags=["conversations"])


class FoundMessageOut(Schema):
    """A message with the words that were searched for. Every second one of `pieces` is a match.

    `is_elsewhere`: it is on another branch than the one that is open. `speaker`: the name of the
    agent or of the tool; empty for a person, and where an imported file names none.
    """

    message: int
    position: int
    branch: int
    is_elsewhere: bool
    role: str
    speaker: str
    created: datetime
    pieces: list[str]


class FoundChatOut(Schema):
    """A conversation with its best matches. `count` is the number of its matches among the 500 that
    were searched for this page; if you named one conversation, those on later pages count, too.
    """

    conversation: UUID
    title: str
    archived: bool
    count: int
    messages: list[FoundMessageOut]


class FoundOut(Schema):
    """What a search found. `is_cut`: there are older messages that match, or that must be read to
    find out; the same search with `older` continues there. `meant`: a query that may have been
    meant, if nothing was found.
    """

    conversations: list[FoundChatOut]
    is_cut: bool
    older: str
    meant: str


@router.get("/search", response=FoundOut)
def search(
    request: HttpRequest,
    q: str = Query(..., min_length=1, max_length=1_000),
    conversation: UUID | None = None,
    older: str = Query("", pattern=Older.PATTERN, max_length=MOST_LETTERS),
) -> dict[str, Any]:
    """Find your conversations in which one message contains all words of `q`, also on another
    branch or in an attached file. Words in quotation marks must be there exactly. Messages that say
    only `q` come first, then those with `q` as a phrase, with all its words as whole words, with
    the phrase whose last word is only begun, and all others; among equals the latest come first. In
    a conversation, a person's message comes before answers that only repeat it. If no message has
    all words, you get conversations that have them together in their title and messages.

    You get at most three messages of each conversation; if you name one `conversation`, you get all
    of its matches, a hundred or more at a time. The `older` of an answer, sent with the same `q`,
    gets the next page. That page leaves out conversations with more than three matches, which you
    get by naming them.
    """
    actor = actor_of(request)
    if conversation:
        access_conversation(actor, conversation)
    chats = find(actor, q, conversation, Older.of(older))
    fields = {"is_cut": chats.is_cut, "older": str(chats.older or "")}
    fields["meant"] = "" if chats or chats.is_cut or older else corrected(actor, q)
    return {"conversations": list(map(found_record, chats)), **fields}

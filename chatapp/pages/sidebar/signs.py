"""The sign at a chat in the list: it is being answered, waits for its owner, or has news."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import TypeAlias
from uuid import UUID

from history.models import ACTIVE, Conversation
from history.services.path.reading import open_answers


class Sign(StrEnum):
    ANSWERING = "answering"
    WAITING = "waiting"  # A tool needs approval.
    NEW_ANSWER = "new-answer"


Signs: TypeAlias = Mapping[UUID, Sign]


def signs_of(chats: Collection[Conversation]) -> Signs:
    """Return the sign of each chat that has one. This costs one query."""
    signs = {chat.pk: Sign.NEW_ANSWER for chat in chats if chat.has_new_answer}
    answers = open_answers(chat.pk for chat in chats)
    signs |= {chat: Sign.WAITING for chat, status in answers if status not in ACTIVE}
    return signs | {chat: Sign.ANSWERING for chat, status in answers if status in ACTIVE}

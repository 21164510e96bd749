"""Export one chat, or all of a person's chats."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from history.models import Conversation, Viewing
from history.services.access import (
    Actor,
    access_conversation,
    record_reading,
    visible_conversations,
)
from history.services.answers.delegating import delegated_within
from history.services.exports.archive import Archive, gathered, name_of
from history.services.exports.form import Form
from history.services.exports.rows import each

ZIP = "application/zip"


@dataclass(frozen=True, slots=True)
class Download:
    """A file for download. Each of its pieces is read only when it is taken."""

    name: str
    media_type: str
    pieces: Iterator[bytes]


def readable_chat(actor: Actor, conversation_id: UUID) -> Sequence[Conversation]:
    """Return a chat and the conversations that its agents delegated. Raise NotFound.

    People who may read everybody's chats get any chat, and this is recorded.
    """
    page = Viewing.Page.EXPORT
    chat = access_conversation(actor, conversation_id, reading=page)
    delegated = delegated_within(chat)
    for conversation in delegated:
        record_reading(actor, conversation, page)
    return [chat, *delegated]


def own_chats(actor: Actor) -> Iterator[Conversation]:
    """Yield all chats that belong to the actor, the oldest first."""
    return in_order(visible_conversations(actor))


def in_order(rows: QuerySet[Conversation]) -> Iterator[Conversation]:
    related = rows.select_related("agent", "network", "branch", "asked_by")
    return each(related, "created", "id")


def exported(chats: Sequence[Conversation], form: Form) -> Download:
    """Export one chat with the conversations delegated in it: as an archive or, if it has neither
    delegated conversations nor attachments, as a single file.
    """
    first = chats[0]
    name = name_of(first) + form.suffix
    if len(chats) == 1 and not first.attachments.exists():
        pieces = (piece.encode() for piece in form.write(first))
        return Download(name, form.media_type, gathered(pieces))
    return Download(f"{name}.zip", ZIP, _archived(chats, form))


def all_exported(chats: Iterable[Conversation], form: Form) -> Download:
    name = f"vitrine-chats-{timezone.now().date().isoformat()}{form.suffix}.zip"
    return Download(name, ZIP, _archived(chats, form))


def _archived(chats: Iterable[Conversation], form: Form) -> Iterator[bytes]:
    return gathered(Archive(form).of(chats))

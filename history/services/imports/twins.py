"""Find out whether a file's chat is here already: as the original, or from an earlier import."""

from itertools import count
from uuid import UUID

from django.utils.translation import gettext as _

from history.core.words.storable import storable
from history.models import Conversation, Import, ImportEntry, Message
from history.services.access import Actor, visible_conversations
from history.services.imports.chats import ImportedChat
from history.services.imports.digests import digest_of
from history.services.imports.readers.vitrine import VitrineReader
from history.services.texts import LONGEST_TITLE


def already_here(job: Import, chat: ImportedChat) -> Conversation | None:
    """Return this person's chat that already has all messages of the file's chat; None if there is
    no such chat, or if copies are wanted.
    """
    return None if job.copies else _twin(job, chat)


def title_beside_twin(job: Import, chat: ImportedChat, title: str) -> str:
    """Return the title for a chat of the file. If the same chat is already here, as it may be only
    if copies are wanted, say that this is a copy, with a number if another chat has that title.
    """
    if not job.copies or _twin(job, chat) is None:
        return title
    mine = visible_conversations(Actor(job.owner, job.visitor))
    titles = (_of_copy(title, number) for number in count(1))
    return next(each for each in titles if not mine.filter(title=each).exists())


def _of_copy(title: str, number: int) -> str:
    """Begin with the mark, because lists of chats cut long titles off at their end."""
    mark = _("Copy {number} of {title}") if number > 1 else _("Copy of {title}")
    return mark.format(number=number, title=title)[:LONGEST_TITLE]


def source_of(chat: ImportedChat) -> str:
    return storable(chat.source)[:200]


def _twin(job: Import, chat: ImportedChat) -> Conversation | None:
    return _original(job, chat) or _imported_before(job, chat)


def _original(job: Import, chat: ImportedChat) -> Conversation | None:
    """Return the chat that was exported, if it still contains all messages of the file."""
    if job.format != VitrineReader.format:
        return None
    mine = visible_conversations(Actor(job.owner, job.visitor))
    conversation = mine.filter(pk=UUID(chat.source)).first()
    return conversation if conversation and _has_all(conversation, chat) else None


def _has_all(conversation: Conversation, chat: ImportedChat) -> bool:
    """Return whether the conversation contains every message of the file. Ids would be enough, as a
    message never changes, but other databases use the same ids; so texts are compared, too.
    """
    rest = {message.id: (message.role, message.text) for message in chat.messages}
    rows = Message.objects.filter(conversation=conversation).values_list("pk", "role", "text")
    for pk, role, text in rows.iterator():
        if rest.get(str(pk)) == (role, text):
            del rest[str(pk)]
    return not rest


def _imported_before(job: Import, chat: ImportedChat) -> Conversation | None:
    """Return the chat that an earlier import made from the same chat."""
    owner = Actor(job.owner, job.visitor).ownership
    rows = ImportEntry.objects.filter(digest=digest_of(chat), source=source_of(chat))
    mine = rows.filter(**{f"conversation__{name}": value for name, value in owner.items()})
    mine = mine.filter(conversation__deleted_at=None, outcome=ImportEntry.Outcome.STORED)
    entry = mine.select_related("conversation").first()
    return entry.conversation if entry else None

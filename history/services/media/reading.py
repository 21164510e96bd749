"""Read stored media: for the page of the chat that has them, and for requests to models."""

from base64 import b64encode
from dataclasses import dataclass, replace
from uuid import UUID

from history.core.transcript.parts import File
from history.models import Conversation, Media, Viewing
from history.models.media import PICTURES
from history.services.access import Actor, access_conversation
from history.services.errors import NotFound
from history.services.media.attaching import unsent


@dataclass(frozen=True, slots=True)
class ServedFile:
    """An image or a file as a page gets it. Its name is the one under which it was supplied."""

    data: bytes
    type: str
    digest: str
    name: str = ""

    @property
    def is_picture(self) -> bool:
        return self.type in PICTURES


def media_of(actor: Actor, conversation_id: UUID, digest: str) -> ServedFile:
    """Return media attached to a conversation that the actor may read, or raise NotFound."""
    conversation = _readable(actor, conversation_id)
    attachment = conversation.attachments.filter(media=digest).first()
    if attachment is None:
        raise NotFound("file")
    return replace(_read(attachment.media.get(pk=digest)), name=attachment.name)


def picture_of_unsent(actor: Actor, attachment_id: UUID) -> ServedFile:
    """Return the first image of a file that the actor has not sent yet, or raise NotFound."""
    return _read(unsent(actor, attachment_id).media.filter(type__in=PICTURES).first())


def text_of(actor: Actor, conversation_id: UUID, message_id: int, number: int) -> str:
    """Return the text of one of the message's files, or raise NotFound."""
    conversation = _readable(actor, conversation_id)
    message = conversation.messages.filter(pk=message_id).first()
    parts = message.as_core().parts if message else ()
    if number >= len(parts) or not isinstance(part := parts[number], File):
        raise NotFound("file")
    return part.text


def data_url(digest: str) -> str:
    """Return an image in the form that providers accept; empty if it is no longer stored."""
    try:
        picture = _read(Media.objects.filter(pk=digest, type__in=PICTURES).first())
    except NotFound:
        return ""
    return f"data:{picture.type};base64,{b64encode(picture.data).decode()}"


def _readable(actor: Actor, conversation_id: UUID) -> Conversation:
    """Return the actor's own conversation. Readers of all chats get any, and that is recorded."""
    return access_conversation(actor, conversation_id, reading=Viewing.Page.TRANSCRIPT)


def _read(media: Media | None) -> ServedFile:
    if media is None:
        raise NotFound("file")
    try:
        with media.file.open("rb") as file:
            return ServedFile(file.read(), media.type, media.digest)
    except FileNotFoundError as error:
        raise NotFound("file") from error

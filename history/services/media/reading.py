"""Read pictures: for the page of the chat that has them, and for requests to models."""

from base64 import b64encode
from dataclasses import dataclass
from uuid import UUID

from history.core.parts import File
from history.models import Conversation, Media, Viewing
from history.services.access import Actor, access_conversation
from history.services.errors import NotFound
from history.services.media.attaching import unsent


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as a page gets it."""

    data: bytes
    type: str
    digest: str


def media_of(actor: Actor, conversation_id: UUID, digest: str) -> Shown:
    """Return a picture of a conversation that the actor may read. Raise NotFound."""
    conversation = _readable(actor, conversation_id)
    return _read(Media.objects.filter(pk=digest, attachments__conversation=conversation).first())


def picture_of_unsent(actor: Actor, attachment_id: UUID) -> Shown:
    """Return the first picture of a file that the actor has not sent yet. Raise NotFound."""
    return _read(unsent(actor, attachment_id).media.first())


def text_of(actor: Actor, conversation_id: UUID, message_id: int, number: int) -> str:
    """Return the text of one of the message's files. Raise NotFound."""
    conversation = _readable(actor, conversation_id)
    message = conversation.messages.filter(pk=message_id).first()
    parts = message.as_core().parts if message else ()
    if number >= len(parts) or not isinstance(part := parts[number], File):
        raise NotFound("file")
    return part.text


def data_url(digest: str) -> str:
    """Return a picture as providers take it; empty if it is not kept any more."""
    try:
        shown = _read(Media.objects.filter(pk=digest).first())
    except NotFound:
        return ""
    return f"data:{shown.type};base64,{b64encode(shown.data).decode()}"


def _readable(actor: Actor, conversation_id: UUID) -> Conversation:
    """Return the actor's own conversation; readers get any, on record."""
    return access_conversation(actor, conversation_id, reading=Viewing.Page.TRANSCRIPT)


def _read(media: Media | None) -> Shown:
    if media is None:
        raise NotFound("file")
    try:
        with media.file.open("rb") as file:
            return Shown(file.read(), media.type, media.digest)
    except FileNotFoundError as error:
        raise NotFound("file") from error

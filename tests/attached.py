"""Pictures and files for tests, and attachments that the app's own services make of them."""

from hashlib import sha256
from io import BytesIO
from typing import Any

from PIL import Image as Pictures

from history.core.transcript.parts import File, Image
from history.models import Attachment, Conversation
from history.services.access import Actor
from history.services.media.attaching import AttachableFile, attach
from history.services.media.keeping import StoredFile
from history.services.path.appending import append, user_message


def picture(
    kind: str = "PNG", size: tuple[int, int] = (40, 30), text: str = "", **save: Any
) -> bytes:
    """Return a picture whose colour depends on the text."""
    colour = tuple(sha256(text.encode()).digest()[:3])
    file = BytesIO()
    Pictures.new("RGB", size, colour).save(file, kind, **save)
    return file.getvalue()


def attach_picture(
    actor: Actor, text: str = "", name: str = "berth.png", size: tuple[int, int] = (40, 30)
) -> Attachment:
    """Upload a picture for the person's next message."""
    kept = StoredFile(picture(text=text, size=size), "image/png", *size)
    part = Image(kept.digest, kept.digest, kept.type, name, *size, size=len(kept.data))
    supplied = AttachableFile(name, kept.type, len(kept.data), kept.digest, 0, (part,))
    return attach(actor, supplied, [kept])


def put_picture(conversation: Conversation, text: str = "", **more: Any) -> str:
    """Upload a picture, and make it part of the conversation; return its digest."""
    row = attach_picture(Actor(conversation.owner, conversation.visitor), text, **more)
    row.owner, row.visitor, row.conversation = None, "", conversation
    row.save()
    return row.supplied


def put_file(conversation: Conversation, text: str = "Berth 041") -> int:
    """Add a message with a text file to the open branch; return its primary key."""
    assert conversation.branch
    part = File("d" * 64, "e" * 64, "text/plain", name="notes.txt", size=len(text), text=text)
    (message,) = append(conversation.branch, [user_message("Read this", parts=[part])])
    return int(message.pk)

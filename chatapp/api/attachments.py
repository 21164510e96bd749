"""API calls that attach files to a message before it is sent, or delete them again."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import File, Router, Schema, Status, UploadedFile

from chatapp.api.generations import caller
from chatapp.uploads import sentences
from chatapp.uploads.receiving import receive
from history.models import Attachment
from history.services.media.attaching import UNSENT_LIFE, remove

router = Router(tags=["attachments"])


class AttachmentOut(Schema):
    """An uploaded file that has not been sent yet. `type` is read from its content, `size` is its
    size in bytes when it was uploaded, and `pages` is the number of a PDF's pages. `tokens` is what
    the file adds to a message; `notes` say what a person should know about it.
    """

    id: UUID
    name: str
    type: str
    size: int
    digest: str
    pages: int
    tokens: int
    notes: list[str]
    kept_until: datetime


@router.post("/attachments", response={201: AttachmentOut})
def attach_file(request: HttpRequest, file: UploadedFile = File(...)) -> Status[dict[str, Any]]:  # noqa: B008 -- how ninja declares a parameter
    """Upload an image, a PDF or a text file, as the field `file` of a multipart form.

    To send it, name its id among the `attachments` of one message. A file that is not sent is
    kept until `kept_until`.
    """
    actor = caller(request)
    return Status(201, _record(receive(actor, actor.person, request.FILES)))


@router.delete("/attachments/{attachment_id}", response={204: None})
def remove_file(request: HttpRequest, attachment_id: UUID) -> Status[None]:
    """Delete a file that was not sent."""
    remove(caller(request), attachment_id)
    return Status(204, None)


def _record(attachment: Attachment) -> dict[str, Any]:
    names = ("id", "name", "type", "size", "pages")
    return {
        **{name: getattr(attachment, name) for name in names},
        "digest": attachment.supplied,
        "tokens": sum(part.get("tokens", 0) for part in attachment.parts),
        "notes": [sentences.note(fact) for fact in attachment.notes],
        "kept_until": attachment.created + UNSENT_LIFE,
    }

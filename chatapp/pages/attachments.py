"""Views that attach files to the next message, show a chat's images, and let people download its
files.

Only images that Vitrine wrote itself are ever shown, and only in a sandbox. Other files are only
offered for download.
"""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.urls.converters import StringConverter
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST, require_safe

from chatapp.limits.spending import TooMany
from chatapp.pages.guard import chatting
from chatapp.uploads import sentences
from chatapp.uploads.receiving import receive
from history.models import Attachment
from history.models.media import ENDINGS
from history.services.access import Actor
from history.services.errors import NotFound, Refused
from history.services.media import attaching, reading

SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'"


class DigestConverter(StringConverter):
    regex = "[0-9a-f]{64}"


@require_POST
@chatting
def attach(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Keep a file for the person's next message, in whatever chat that is.

    A refusal has status 200, because browsers log any other status as an error.
    """
    if actor.is_nobody:
        raise NotFound("page")
    try:
        return JsonResponse(
            attachment_data(receive(actor, actor.person, request.FILES)), status=201
        )
    except TooMany:
        raise
    except Refused as refusal:
        return JsonResponse({"refused": refusal.message, "code": refusal.code})


@require_safe
@chatting
def picture(request: HttpRequest, actor: Actor, attachment: UUID) -> HttpResponse:
    """Show the image of a file that has not been sent yet."""
    return _shown(reading.picture_of_unsent(actor, attachment))


@require_POST
@chatting
def remove(request: HttpRequest, actor: Actor, attachment: UUID) -> HttpResponse:
    attaching.remove(actor, attachment)
    return HttpResponse(status=204)


@require_safe
@chatting
def media(request: HttpRequest, actor: Actor, conversation: UUID, digest: str) -> HttpResponse:
    """Show an image of a chat to the chat's owner, or let them download a file."""
    file = reading.media_of(actor, conversation, digest)
    return _shown(file) if file.is_picture else _saved(file)


@require_safe
@chatting
def file(
    request: HttpRequest, actor: Actor, conversation: UUID, message: int, number: int
) -> HttpResponse:
    """Show, as plain text, what the model reads of a file."""
    text = reading.text_of(actor, conversation, message, number)
    return _answer(text, "text/plain; charset=utf-8", 'inline; filename="file.txt"')


def attachment_data(attachment: Attachment) -> dict[str, Any]:
    """Return the data by which the page shows an attachment."""
    first = attachment.parts[0]
    has_picture = any(part["kind"] == "image" for part in attachment.parts)
    return {
        "id": str(attachment.pk),
        "name": attachment.name,
        "type": attachment.type,
        "size": attachment.size,
        "pages": attachment.pages,
        "tokens": sum(part.get("tokens", 0) for part in attachment.parts),
        "is_image": first["kind"] == "image",
        "picture": reverse("attachment", args=[attachment.pk]) if has_picture else None,
        "notes": [sentences.note(fact) for fact in attachment.notes],
    }


def _saved(file: reading.ServedFile) -> HttpResponse:
    name = file.name or _ours(file)
    header = content_disposition_header(as_attachment=True, filename=name)
    return _answer(file.data, "application/octet-stream", header or "attachment")


def _shown(picture: reading.ServedFile) -> HttpResponse:
    return _answer(picture.data, picture.type, f'inline; filename="{_ours(picture)}"')


def _ours(file: reading.ServedFile) -> str:
    """Return a file name made by Vitrine, with nothing in it that somebody supplied."""
    return f"{file.digest[:12]}.{ENDINGS[file.type]}"


def _answer(data: bytes | str, media_type: str, disposition: str) -> HttpResponse:
    answer = HttpResponse(data, content_type=media_type)
    answer["Content-Disposition"] = disposition
    answer["Content-Security-Policy"] = SANDBOX
    answer["Cross-Origin-Resource-Policy"] = "same-origin"
    return answer

"""Accept a file that a person supplied for their next message."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

from django.conf import settings

from agents.tools import Picture
from chatapp.limits import limits
from chatapp.limits.spending import buckets
from chatapp.uploads.bounds import Bounds
from chatapp.uploads.cleaned import CleanedFile, CleanPicture, FileRefused
from chatapp.uploads.names import clean_name, promised_type
from chatapp.uploads.process import look_at
from chatapp.uploads.sentences import refusal
from history.core.transcript.parts import File, Image
from history.models import Attachment
from history.services.access import Actor
from history.services.errors import Refused
from history.services.media.attaching import AttachableFile, attach
from history.services.media.keeping import StoredFile
from history.tokens.parts import counted_file, counted_image


def supply(actor: Actor, whose: str, supplied_name: str, data: bytes) -> Attachment:
    """Check a file, keep its harmless content, and attach it to the next message. Raise Refused."""
    name = clean_name(supplied_name)
    try:
        return attach(actor, *supplied_file(name, data, whose))
    except FileRefused as unfit:
        raise Refused(unfit.code, refusal(unfit, name)) from unfit


def supplied_file(name: str, data: bytes, whose: str) -> tuple[AttachableFile, list[StoredFile]]:
    """Return the harmless content of a file, and the bytes to store for it. Raise FileRefused."""
    content = look_at(data, bounds(), charging(whose))
    promised = promised_type(name)
    if promised and content.type == "text/plain":  # Such as the page of a web server's error.
        raise FileRefused("damaged", type=promised)
    pictures = [kept_of(picture) for picture in content.pictures]
    original = [] if content.is_picture else [StoredFile(data, content.type, 0, 0)]
    file = AttachableFile(
        name=name,
        type=content.type,
        size=len(data),
        digest=sha256(data).hexdigest(),
        pages=content.pages,
        parts=_parts(name, data, content),
        notes=[dict(note) for note in content.notes],
    )
    return file, [*pictures, *original]


def charging(whose: str) -> Callable[[float], None]:
    """Return a function that charges a person for seconds of processor time."""
    return partial(buckets.charge, limits.file_seconds(), whose)


def bounds() -> Bounds:
    return Bounds(
        pixels=settings.MAX_IMAGE_PIXELS,
        side=settings.IMAGE_SIDE,
        pages=settings.MAX_PDF_PAGES,
        scanned_pages=settings.SCANNED_PAGES,
        characters=settings.MAX_MESSAGE_BYTES,
        seconds=settings.FILE_SECONDS,
    )


def _parts(name: str, data: bytes, content: CleanedFile) -> tuple[Any, ...]:
    """Return the file's text as one part, and each of its pictures as another."""
    digest = sha256(data).hexdigest()
    images = [image_of(picture, name, digest, page=picture.page) for picture in content.pictures]
    if content.is_picture:
        return tuple(images)
    file = File(
        digest=digest,
        supplied=digest,
        type=content.type,
        name=name,
        size=len(data),
        pages=content.pages,
        text=content.text,
        is_scanned=content.is_scanned,
    )
    return (counted_file(file), *images)


def kept_of(picture: CleanPicture | Picture) -> StoredFile:
    return StoredFile(picture.data, picture.type, picture.width, picture.height)


def image_of(picture: CleanPicture | Picture, name: str, file_digest: str, page: int = 0) -> Image:
    """Return the part that a message gets for a stored image."""
    image = Image(
        digest=kept_of(picture).digest,
        supplied=file_digest,
        type=picture.type,
        name=name,
        width=picture.width,
        height=picture.height,
        size=len(picture.data),
        page=page,
    )
    return counted_image(image)

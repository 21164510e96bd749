"""A message's images and files as a page shows them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import reverse

from chatapp.limits.limits import spoken_size
from chatapp.uploads.sentences import kind_of
from history.core.transcript.parts import File, Image, part_from_dict, supplied_files
from history.models import Message
from history.wording.parts import part_name

SHOWN = 4_000  # How many characters of a file's text a page shows; a link leads to the rest.


@dataclass(frozen=True, slots=True)
class ShownImage:
    image: Image
    address: str
    part: str

    @property
    def name(self) -> str:
        return part_name(self.image)


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file with the beginning of its text. `address` leads to the whole text, `original` to the
    file as it was supplied. `part` is the message's position and the file's index in the message.
    """

    file: File
    address: str
    original: str
    part: str

    @property
    def kind(self) -> str:
        return kind_of(self.file.type)

    @property
    def size(self) -> str:
        return spoken_size(self.file.size)

    @property
    def beginning(self) -> str:
        return self.file.text[:SHOWN]

    @property
    def goes_on(self) -> bool:
        return len(self.file.text) > SHOWN


@dataclass(frozen=True, slots=True)
class AttachedFiles:
    """A message's files. `told` is JSON with what scripts show of each file while the message is
    edited; `missing` has the names of files that were not in an imported file.
    """

    images: tuple[ShownImage, ...] = ()
    files: tuple[ShownFile, ...] = ()
    told: str = "[]"
    missing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.images or self.files or self.missing)


def attached_to(message: Message) -> AttachedFiles:
    missing = tuple(message.missing or ())
    if not message.parts:
        return AttachedFiles(missing=missing)
    parts = [part_from_dict(part) for part in message.parts]
    chat, at = message.conversation_id, message.position
    return AttachedFiles(
        tuple(
            ShownImage(part, _address(chat, part), f"{at}:{number}")
            for number, part in enumerate(parts)
            if isinstance(part, Image)
        ),
        tuple(
            ShownFile(
                part,
                reverse("file", args=[chat, message.pk, number]),
                _address(chat, part),
                f"{at}:{number}",
            )
            for number, part in enumerate(parts)
            if isinstance(part, File)
        ),
        json.dumps([_told(chat, file) for file in supplied_files(parts)]),
    )


def _told(chat: UUID, file: Mapping[int, Image | File]) -> dict[str, Any]:
    number, first = next(iter(file.items()))
    pictures = [_address(chat, part) for part in file.values() if isinstance(part, Image)]
    return {
        "number": number,
        "name": first.name,
        "size": first.size,
        "pages": first.pages if isinstance(first, File) else 0,
        "picture": pictures[0] if pictures else None,
    }


def _address(chat: UUID, part: Image | File) -> str:
    return reverse("media", args=[chat, part.digest])

"""The images and files of a message, as a page shows them."""

from dataclasses import dataclass

from django.urls import reverse

from chatapp.limits.limits import spoken_size
from chatapp.uploads.sentences import kind_of
from history.core.parts import File, Image, part_from_dict
from history.models import Message

SHOWN = 4_000  # Characters of a file's text on the page; the rest is behind a link.


@dataclass(frozen=True, slots=True)
class ShownImage:
    image: Image
    address: str


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file, with the beginning of its text. `address` is that of all of it, `original` that of
    the file as it was supplied.
    """

    file: File
    address: str
    original: str

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
class Attached:
    images: tuple[ShownImage, ...] = ()
    files: tuple[ShownFile, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.images or self.files)


def attached_to(message: Message) -> Attached:
    if not message.parts:
        return Attached()
    parts = [part_from_dict(part) for part in message.parts]
    chat = message.conversation_id
    images = (part for part in parts if isinstance(part, Image))
    return Attached(
        tuple(ShownImage(part, reverse("media", args=[chat, part.digest])) for part in images),
        tuple(
            ShownFile(
                part,
                reverse("file", args=[chat, message.pk, number]),
                reverse("media", args=[chat, part.digest]),
            )
            for number, part in enumerate(parts)
            if isinstance(part, File)
        ),
    )

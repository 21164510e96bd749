"""An archive of chats: a file for each chat, the bytes of attached files, and a manifest."""

from collections.abc import Iterable, Iterator

from django.core.files import File
from django.utils import timezone
from django.utils.text import slugify
from pydantic import BaseModel

from history.models import Conversation, Media
from history.models.media import PICTURES
from history.services.exports.form import Form
from history.services.exports.making import file_of
from history.services.exports.schema import VERSION
from history.services.exports.schema_types import Time
from history.services.exports.sections import media_of
from history.services.exports.zip_stream import ZipStream

PIECE = 65_536
MANY = 10_000  # A chat with more messages may make a file that exceeds 2 GB.
LONGEST = 60  # The most characters of a title in a file's name.


class ListedChat(BaseModel):
    id: str
    title: str
    file: str


class Manifest(BaseModel):
    """The contents of an archive. `missing` are the digests of files that are no longer stored."""

    format: str = "vitrine-export"
    version: str = VERSION
    exported: Time
    chats: list[ListedChat] = []
    missing: list[str] = []


def name_of(conversation: Conversation) -> str:
    """Name a chat's file, without its ending, by day, title and id, which makes the name unique."""
    title = slugify(conversation.title, allow_unicode=True)[:LONGEST].strip("-_") or "chat"
    day = conversation.created.date().isoformat()
    return f"{day}-{title}-{str(conversation.pk)[:8]}"


class Archive:
    """Yields the bytes of a zip archive while it reads what goes into it."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._zip = ZipStream()
        self._manifest = Manifest(exported=timezone.now())
        self._kept: set[str] = set()

    def of(self, conversations: Iterable[Conversation]) -> Iterator[bytes]:
        for conversation in conversations:
            yield from self._chat(conversation)
            for media in media_of(conversation, timezone.now()):
                if media.digest not in self._kept:
                    self._kept.add(media.digest)
                    yield from self._file(media)
        manifest = self._manifest.model_dump_json(indent=1).encode()
        yield from self._zip.member("manifest.json", [manifest], self._manifest.exported)
        yield from self._zip.end()

    def _chat(self, conversation: Conversation) -> Iterator[bytes]:
        file = f"chats/{name_of(conversation)}.{self._form.ending}"
        listed = ListedChat(id=str(conversation.pk), title=conversation.title, file=file)
        self._manifest.chats.append(listed)
        text = (piece.encode() for piece in self._form.write(conversation))
        moment, is_huge = conversation.active, _may_be_huge(conversation)
        yield from self._zip.member(file, gathered(text), moment, is_huge=is_huge)

    def _file(self, media: Media) -> Iterator[bytes]:
        try:
            file = media.file.open("rb")
        except FileNotFoundError:
            self._manifest.missing.append(media.digest)
            return
        with file:
            yield from self._zip.member(
                file_of(media), _pieces(file), media.created, is_packed=media.type in PICTURES
            )


def gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join pieces into larger ones, because sending each one costs a thread switch."""
    batch: list[bytes] = []
    size = 0
    for piece in pieces:
        batch.append(piece)
        size += len(piece)
        if size >= PIECE:
            yield b"".join(batch)
            batch, size = [], 0
    yield b"".join(batch)


def _pieces(file: "File[bytes]") -> Iterator[bytes]:
    return iter(lambda: file.read(PIECE), b"")


def _may_be_huge(conversation: Conversation) -> bool:
    rows = conversation.messages.order_by()
    return rows.count() > MANY

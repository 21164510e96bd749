"""Check the files in an imported chat the same way as attached files."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from django.conf import settings

from chatapp.limits.shared_places import FILES, behind
from chatapp.uploads.cleaned import FileRefused
from chatapp.uploads.names import clean_name
from chatapp.uploads.supplying import supplied_file
from history.services.imports.building import Looked
from history.services.imports.chats import (
    ImportedChat,
    ImportedFile,
    ImportedMessage,
    Skipped,
    Unreadable,
    Why,
)
from history.services.imports.source import SuppliedFile

# The most bytes of all files in a chat, which are in memory until the chat is stored.
MOST_BYTES = 250_000_000


class Looker:
    """Examines one chat's files for the chat's owner. `size` is their size in bytes so far;
    `skipped` says which files were left out, and why.
    """

    def __init__(self, source: SuppliedFile, whose: str) -> None:
        self.source, self.whose = source, whose
        self.size = 0
        self.skipped: list[Skipped] = []

    def files_of(self, chat: ImportedChat) -> dict[ImportedFile, Looked]:
        files = list(self._fitting(dict.fromkeys(self._wanted(chat))))
        return {file: look for file in files if (look := self._looked_at(file))}

    def _wanted(self, chat: ImportedChat) -> Iterator[ImportedFile]:
        for message in chat.messages:
            files = _files(message)
            yield from files[: settings.FILES_PER_MESSAGE]
            if beyond := files[settings.FILES_PER_MESSAGE :]:
                figures = {"count": len(files), "most": settings.FILES_PER_MESSAGE}
                self.skipped.append(Skipped(Why.TOO_MANY, beyond[0].name, figures))

    def _fitting(self, files: Iterable[ImportedFile]) -> Iterator[ImportedFile]:
        """Yield the files that fit into memory together; add the others to `skipped`."""
        for file in files:
            own = self.source.size_of(file)
            if self.size + own <= MOST_BYTES:
                self.size += own
                yield file
            else:
                self.skipped.append(Skipped(Why.TOO_LARGE, file.name, {"most": MOST_BYTES}))

    def _looked_at(self, file: ImportedFile) -> Looked | None:
        try:
            data = self.source.read(file.member) if file.data is None else file.data
            if len(data) > settings.MAX_FILE_BYTES:
                raise Unreadable(Why.TOO_LARGE, file.name, most=settings.MAX_FILE_BYTES)
            if file.digest and sha256(data).hexdigest() != file.digest:
                raise Unreadable(Why.OTHER_BYTES, file.name)
            with FILES.waited(behind(self.whose)):
                return supplied_file(clean_name(file.name), data, self.whose)
        except Unreadable as error:
            self.skipped.append(Skipped(error.skipped.why, file.name, error.skipped.figures))
        except FileRefused as unfit:
            figures = {"code": unfit.code, **unfit.figures}
            self.skipped.append(Skipped(Why.FILE_REFUSED, clean_name(file.name), figures))
        return None


def _files(message: ImportedMessage) -> list[ImportedFile]:
    """Return the message's files that exist; the format's reader has reported those that don't."""
    files = [part for part in message.parts if isinstance(part, ImportedFile)]
    return [file for file in files if file.is_there]

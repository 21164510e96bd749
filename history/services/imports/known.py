"""The readers of all formats, in the order in which they are tried."""

import re
from collections.abc import Collection, Iterator

from history.services.imports.chats import Read, Unreadable, Why
from history.services.imports.formats import Reader
from history.services.imports.readers.chatgpt import ChatGPTReader
from history.services.imports.readers.claude import ClaudeReader
from history.services.imports.readers.librechat import LibreChatReader
from history.services.imports.readers.openai import OpenAIReader
from history.services.imports.readers.openwebui import OpenWebUIReader
from history.services.imports.readers.vitrine import VitrineReader
from history.services.imports.source import SuppliedFile

MARKDOWN = re.compile(r"chats/[^/]+\.md")
READERS: tuple[Reader, ...] = (
    VitrineReader(),
    ChatGPTReader(),
    ClaudeReader(),
    OpenWebUIReader(),
    LibreChatReader(),
    OpenAIReader(),  # OpenAI's format comes last, because other formats have messages, too.
)


def recognised(source: SuppliedFile) -> dict[Reader, list[str]]:
    """Return the readers that recognise the file, each with its documents; other documents contain
    no chats.

    Raise `Unreadable` if there are none.
    """
    readers: dict[Reader, list[str]] = {}
    faults: list[Unreadable] = []
    for document in source.documents:
        try:
            head = source.head(document)
        except Unreadable as error:  # In an archive, this may be an unrelated file.
            faults.append(error)
            continue
        if reader := next((reader for reader in READERS if reader.takes(head)), None):
            readers.setdefault(reader, []).append(document)
        elif head.fault:
            faults.append(head.fault)
    if not readers:
        raise _told(faults, source.members)
    source.expect(name for documents in readers.values() for name in documents)
    return readers


def read_chats(source: SuppliedFile, readers: dict[Reader, list[str]]) -> Iterator[Read]:
    """Yield the chats of all documents, in an order that never varies."""
    for reader, documents in readers.items():
        yield from reader.read(source.of(documents))


def _told(faults: list[Unreadable], members: Collection[str]) -> Unreadable:
    """Return why no document has a known format: the first fault that says more than that. In an
    archive, a document that is not JSON says nothing.
    """
    if any(map(MARKDOWN.fullmatch, members)):
        return Unreadable(Why.MARKDOWN)
    vague = {Why.UNKNOWN_FORMAT, Why.NOT_JSON} if members else {Why.UNKNOWN_FORMAT}
    telling = (fault for fault in faults if fault.skipped.why not in vague)
    return next(telling, Unreadable(Why.UNKNOWN_FORMAT))

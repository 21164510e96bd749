"""Open WebUI's export: a list of chats, each with its messages in a list or by id in `history`."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from history.core.transcript.messages import Role
from history.services.imports.chats import (
    ImportedChat,
    ImportedFile,
    ImportedMessage,
    Read,
    Skipped,
    Unreadable,
    Why,
)
from history.services.imports.formats import Head, Source
from history.services.imports.readers.each import in_documents
from history.services.imports.readers.openai import Content, data_of
from history.services.imports.readers.openwebui_answers import take_items, take_text
from history.services.imports.readers.pieces import Pieces
from history.services.imports.readers.values import mapping, message_in, moment, sequence, text

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}


class OpenWebUIReader:
    format: ClassVar[str] = "openwebui"

    def takes(self, head: Head) -> bool:
        return "chat" in head.fields or {"history", "models"} <= head.fields

    def read(self, source: Source) -> Iterator[Read]:
        return in_documents(source, chat_of)


def chat_of(given: Mapping[str, Any]) -> ImportedChat:
    """Read one chat. Raise `Unreadable` if the value is no chat."""
    chat = mapping(given.get("chat")) or given
    history = mapping(chat.get("history"))
    tree, plain = history.get("messages"), chat.get("messages")
    if not isinstance(tree, Mapping) and not isinstance(plain, list):
        raise Unreadable(Why.NO_CHAT)
    work = _Messages()
    if isinstance(tree, Mapping) and tree:
        work.take_tree(tree)
    else:
        work.take_list(sequence(plain))
    return ImportedChat(
        source=text(given.get("id")) or text(chat.get("id")),
        title=text(given.get("title")) or text(chat.get("title")),
        created=moment(given.get("created_at")) or moment(chat.get("timestamp")),
        messages=tuple(work.read),
        current=text(history.get("currentId")) or None,
        skipped=tuple(work.skipped),
        is_pinned=given.get("pinned") is True,
        is_archived=given.get("archived") is True,
    )


class _Messages:
    def __init__(self) -> None:
        self.read: list[ImportedMessage] = []
        self.skipped: list[Skipped] = []

    def take_tree(self, tree: Mapping[str, Any]) -> None:
        """Read the messages; the children of a message come in the order that it gives."""
        rank: dict[str, int] = {}
        for value in tree.values():
            children = sequence(mapping(value).get("childrenIds"))
            rank |= {text(child): place for place, child in enumerate(children)}
        for name in sorted(tree, key=lambda name: rank.get(name, 0)):
            given = message_in(tree[name], name)
            self._take(given, name, text(given.get("parentId")) or None)

    def take_list(self, messages: list[Any]) -> None:
        for number, value in enumerate(messages):
            given = message_in(value, f"messages[{number}]")
            before = self.read[-1].id if self.read else None
            self._take(given, text(given.get("id")) or str(number), before)

    def _take(self, given: Mapping[str, Any], id_: str, parent: str | None) -> None:
        said = text(given.get("role"))
        role = ROLES.get(said)
        if role is None:
            self.skipped.append(Skipped(Why.UNKNOWN_ROLE, id_, {"role": said[:50]}))
            return
        content = Content(id_)
        content.take(given.get("content"))
        self.skipped += content.skipped
        written = moment(given.get("timestamp"))
        files = [*content.files, *self._files(given)]
        if role is Role.ASSISTANT:
            pieces = self._answer(given, id_, content.text)
            self.read += pieces.messages(parent, written, text(given.get("model")), files)
        else:
            said = content.text
            self.read.append(ImportedMessage(id_, parent, role, said, written, parts=tuple(files)))

    def _answer(self, given: Mapping[str, Any], id_: str, content: str) -> Pieces:
        pieces = Pieces(id_)
        self.skipped += take_items(pieces, sequence(given.get("output")))
        if pieces.is_empty:
            take_text(pieces, content)
        return pieces

    def _files(self, given: Mapping[str, Any]) -> Iterator[ImportedFile]:
        for file in map(mapping, sequence(given.get("files"))):
            name = text(file.get("name")) or text(file.get("type")) or "file"
            content = mapping(mapping(file.get("file")).get("data")).get("content")
            data = data_of(text(file.get("url"))) or text(content).encode(errors="replace")
            if not data:
                self.skipped.append(Skipped(Why.NO_FILE, name))
            yield ImportedFile(name, data or None)

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


def chat_of(row: Mapping[str, Any]) -> ImportedChat:
    """Read one chat. Raise `Unreadable` if the value is no chat."""
    chat = mapping(row.get("chat")) or row
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
        source=text(row.get("id")) or text(chat.get("id")),
        title=text(row.get("title")) or text(chat.get("title")),
        created=moment(row.get("created_at")) or moment(chat.get("timestamp")),
        messages=tuple(work.read),
        current=text(history.get("currentId")) or None,
        skipped=tuple(work.skipped),
        is_pinned=row.get("pinned") is True,
        is_archived=row.get("archived") is True,
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
            message = message_in(tree[name], name)
            self._take(message, name, text(message.get("parentId")) or None)

    def take_list(self, messages: list[Any]) -> None:
        for number, value in enumerate(messages):
            message = message_in(value, f"messages[{number}]")
            before = self.read[-1].id if self.read else None
            self._take(message, text(message.get("id")) or str(number), before)

    def _take(self, message: Mapping[str, Any], id_: str, parent: str | None) -> None:
        role_name = text(message.get("role"))
        role = ROLES.get(role_name)
        if role is None:
            self.skipped.append(Skipped(Why.UNKNOWN_ROLE, id_, {"role": role_name[:50]}))
            return
        content = Content(id_)
        content.take(message.get("content"))
        self.skipped += content.skipped
        created = moment(message.get("timestamp"))
        files = (*content.files, *self._files(message))
        if role is Role.ASSISTANT:
            pieces = self._answer(message, id_, content.text)
            self.read += pieces.messages(parent, created, text(message.get("model")), files)
        else:
            words = content.text
            self.read.append(ImportedMessage(id_, parent, role, words, created, parts=files))

    def _answer(self, message: Mapping[str, Any], id_: str, content: str) -> Pieces:
        pieces = Pieces(id_)
        self.skipped += take_items(pieces, sequence(message.get("output")))
        if pieces.is_empty:
            take_text(pieces, content)
        return pieces

    def _files(self, message: Mapping[str, Any]) -> Iterator[ImportedFile]:
        for file in map(mapping, sequence(message.get("files"))):
            name = text(file.get("name")) or text(file.get("type")) or "file"
            content = mapping(mapping(file.get("file")).get("data")).get("content")
            data = data_of(text(file.get("url"))) or text(content).encode(errors="replace")
            if not data:
                self.skipped.append(Skipped(Why.NO_FILE, name))
            yield ImportedFile(name, data or None)

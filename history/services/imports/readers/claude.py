"""Claude's export: `conversations.json`, a list of chats with `chat_messages`."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
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
    unknown_part,
)
from history.services.imports.formats import Head, Source
from history.services.imports.readers.each import in_documents
from history.services.imports.readers.pieces import Pieces
from history.services.imports.readers.values import (
    as_json,
    mapping,
    message_in,
    moment,
    sequence,
    text,
)

SILENT = {"token_budget", "flag"}
NOBODY = "00000000-0000-4000-8000-000000000000"  # The parent that the export gives a first message.


class ClaudeReader:
    format: ClassVar[str] = "claude"

    def takes(self, head: Head) -> bool:
        return "chat_messages" in head.fields

    def read(self, source: Source) -> Iterator[Read]:
        members = {PurePosixPath(name).name: name for name in source.members}
        return in_documents(source, partial(chat_of, members))


def chat_of(members: Mapping[str, str], chat: Mapping[str, Any]) -> ImportedChat:
    """Read one chat. Raise `Unreadable` if the value is no chat."""
    if not isinstance(messages := chat.get("chat_messages"), list):
        raise Unreadable(Why.NO_CHAT)
    work = _Messages(members, text(chat.get("model")))
    for number, message in enumerate(messages):
        work.take(message_in(message, f"chat_messages[{number}]"), str(number))
    return ImportedChat(
        source=text(chat.get("uuid")),
        title=text(chat.get("name")),
        created=moment(chat.get("created_at")),
        messages=tuple(work.read),
        current=text(chat.get("current_leaf_message_uuid")) or None,
        skipped=tuple(work.skipped),
    )


class _Messages:
    """One chat's messages. Older exports name no parents: each message follows the one before."""

    def __init__(self, members: Mapping[str, str], model: str) -> None:
        self.members, self.model = members, model
        self.read: list[ImportedMessage] = []
        self.skipped: list[Skipped] = []

    def take(self, message: Mapping[str, Any], number: str) -> None:
        id_ = text(message.get("uuid")) or number
        before = self.read[-1].id if self.read else None
        parent_id = text(message.get("parent_message_uuid"))
        parent = (parent_id if parent_id != NOBODY else None) if parent_id else before
        files = (*self._attachments(message), *self._files(message))
        created = moment(message.get("created_at"))
        if text(message.get("sender")) == "human":
            self.read.append(
                ImportedMessage(id_, parent, Role.USER, self._said(message), created, parts=files)
            )
        else:
            pieces = self._pieces(message, id_)
            self.read += pieces.messages(parent, created, self.model, files)

    def _said(self, message: Mapping[str, Any]) -> str:
        blocks = [mapping(block) for block in sequence(message.get("content"))]
        texts = [text(block.get("text")) for block in blocks if block.get("type") == "text"]
        return "\n\n".join(filter(None, texts)) or text(message.get("text"))

    def _pieces(self, message: Mapping[str, Any], id_: str) -> Pieces:
        pieces = Pieces(id_)
        blocks = sequence(message.get("content")) or [{"type": "text", "text": message.get("text")}]
        for block in blocks:
            self._block(pieces, mapping(block))
        return pieces

    def _block(self, pieces: Pieces, block: Mapping[str, Any]) -> None:
        match kind := text(block.get("type")):
            case "text":
                pieces.text(text(block.get("text")))
            case "thinking":
                pieces.thought(text(block.get("thinking")))
            case "tool_use":
                arguments = as_json(block.get("input") or {})
                pieces.call(text(block.get("id")), text(block.get("name")), arguments)
            case "tool_result":
                output, failed = self._result(pieces, block), block.get("is_error") is True
                call, name = text(block.get("tool_use_id")), text(block.get("name"))
                pieces.result(call, name, output, failed=failed)
            case _ if kind not in SILENT:
                self.skipped.append(unknown_part(kind, pieces.id))

    def _result(self, pieces: Pieces, block: Mapping[str, Any]) -> str:
        """Return the texts of a tool result's parts: a web page has a text, an image does not."""
        content = block.get("content")
        if isinstance(content, str):
            return content
        parts = [mapping(part) for part in sequence(content)]
        for part in parts:
            if not text(part.get("text")):
                self.skipped.append(unknown_part(text(part.get("type")), pieces.id))
        return "\n".join(filter(None, (text(part.get("text")) for part in parts)))

    def _attachments(self, message: Mapping[str, Any]) -> Iterator[ImportedFile]:
        """Yield what was pasted or attached; the export contains the text of each."""
        for attachment in map(mapping, sequence(message.get("attachments"))):
            name = text(attachment.get("file_name")) or "attachment.txt"
            content = text(attachment.get("extracted_content"))
            if not content:
                self.skipped.append(Skipped(Why.NO_FILE, name))
            yield ImportedFile(name, content.encode(errors="replace") or None)

    def _files(self, message: Mapping[str, Any]) -> Iterator[ImportedFile]:
        for file in map(mapping, sequence(message.get("files"))):
            name = text(file.get("file_name")) or "file"
            names = (name, text(file.get("file_uuid")))
            member = next((self.members[each] for each in names if each in self.members), "")
            if not member:
                self.skipped.append(Skipped(Why.NO_FILE, name))
            yield ImportedFile(name, member=member)

"""LibreChat's export of a chat as JSON: its messages are a list, or each has its `children`."""

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

NOBODY = "00000000-0000-0000-0000-000000000000"  # The parent that the export gives a first message.
PICTURES = {"image_file", "image_url"}


class LibreChatReader:
    format: ClassVar[str] = "librechat"

    def takes(self, head: Head) -> bool:
        return "conversationId" in head.fields and bool({"messages", "messagesTree"} & head.fields)

    def read(self, source: Source) -> Iterator[Read]:
        return in_documents(source, chat_of)


def chat_of(chat: Mapping[str, Any]) -> ImportedChat:
    """Read one chat. Raise `Unreadable` if the value is no chat."""
    messages = chat.get("messages") or chat.get("messagesTree")
    if not isinstance(messages, list):
        raise Unreadable(Why.NO_CHAT)
    work = _Messages(text(mapping(chat.get("options")).get("model")))
    for message, parent in _flat(messages):
        work.take(message, parent)
    return ImportedChat(
        source=text(chat.get("conversationId")),
        title=text(chat.get("title")),
        messages=tuple(work.read),
        skipped=tuple(work.skipped),
    )


def _flat(messages: list[Any]) -> Iterator[tuple[Mapping[str, Any], str | None]]:
    """Yield each message with its parent; a nested message's parent is the message around it."""
    waiting: list[tuple[Any, str | None]] = [(message, None) for message in reversed(messages)]
    number = 0
    while waiting:
        value, above = waiting.pop()
        message = message_in(value, f"messages[{number}]")
        parent_id = text(message.get("parentMessageId"))
        yield message, above or (parent_id if parent_id != NOBODY else "") or None
        children = sequence(message.get("children"))
        waiting += [(child, text(message.get("messageId"))) for child in reversed(children)]
        number += 1


class _Messages:
    def __init__(self, model: str) -> None:
        self.model = model
        self.read: list[ImportedMessage] = []
        self.skipped: list[Skipped] = []

    def take(self, message: Mapping[str, Any], parent: str | None) -> None:
        id_ = text(message.get("messageId")) or str(len(self.read))
        created = moment(message.get("createdAt"))
        files = [*self._files(message, id_)]
        if message.get("isCreatedByUser") is True:
            words = text(message.get("text")) or _texts(message)
            self.read.append(
                ImportedMessage(id_, parent, Role.USER, words, created, parts=tuple(files))
            )
            return
        pieces = Pieces(id_)
        blocks = sequence(message.get("content")) or [{"type": "text", "text": message.get("text")}]
        for block in filter(None, blocks):  # A block in the list may be empty.
            self._block(pieces, mapping(block))
        model = text(message.get("model")) or self.model
        self.read += pieces.messages(parent, created, model, files)

    def _files(self, message: Mapping[str, Any], id_: str) -> Iterator[ImportedFile]:
        """Yield a message's files and images, of which the export has only the names."""
        files = map(mapping, sequence(message.get("files")))
        names = [text(file.get("filename")) for file in files]
        blocks = map(mapping, sequence(message.get("content")))
        names += ["image" for block in blocks if text(block.get("type")) in PICTURES]
        for name in names:
            self.skipped.append(Skipped(Why.NO_FILE, name or id_))
            yield ImportedFile(name or "file")

    def _block(self, pieces: Pieces, block: Mapping[str, Any]) -> None:
        match kind := text(block.get("type")):
            case "text":
                pieces.text(_text(block.get("text")))
            case "think":
                pieces.thought(_text(block.get("think")))
            case "error":
                pieces.text(_text(block.get("error")) or _text(block.get("text")))
            case "tool_call":
                _called(pieces, mapping(block.get("tool_call")))
            case _ if kind not in PICTURES:
                self.skipped.append(unknown_part(kind, pieces.id))


def _called(pieces: Pieces, call: Mapping[str, Any]) -> None:
    """Read a call. LibreChat's agents have its fields in the call itself, OpenAI's assistants in an
    object within it.
    """
    kind = text(call.get("type"))
    own = mapping(call.get(kind)) or call
    value = own.get("args") or own.get("arguments") or own.get("input")
    arguments = value if isinstance(value, str) else as_json(value or {})
    id_ = pieces.call(text(call.get("id")), text(own.get("name")) or kind, arguments)
    if output := text(own.get("output")) or _logs(own):
        pieces.result(id_, "", output)


def _logs(call: Mapping[str, Any]) -> str:
    """Return the output of a code interpreter."""
    outputs = map(mapping, sequence(call.get("outputs")))
    return "\n".join(filter(None, (text(output.get("logs")) for output in outputs)))


def _texts(message: Mapping[str, Any]) -> str:
    blocks = map(mapping, sequence(message.get("content")))
    return "\n\n".join(filter(None, (_text(block.get("text")) for block in blocks)))


def _text(value: object) -> str:
    """Read a text, or a text inside an object, which OpenAI's assistants use."""
    return text(value) or text(mapping(value).get("value"))

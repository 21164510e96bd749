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


def chat_of(given: Mapping[str, Any]) -> ImportedChat:
    """Read one chat. Raise `Unreadable` if the value is no chat."""
    messages = given.get("messages") or given.get("messagesTree")
    if not isinstance(messages, list):
        raise Unreadable(Why.NO_CHAT)
    work = _Messages(text(mapping(given.get("options")).get("model")))
    for message, parent in _flat(messages):
        work.take(message, parent)
    return ImportedChat(
        source=text(given.get("conversationId")),
        title=text(given.get("title")),
        messages=tuple(work.read),
        skipped=tuple(work.skipped),
    )


def _flat(messages: list[Any]) -> Iterator[tuple[Mapping[str, Any], str | None]]:
    """Yield each message with its parent; a nested message's parent is the message around it."""
    waiting: list[tuple[Any, str | None]] = [(message, None) for message in reversed(messages)]
    number = 0
    while waiting:
        given, above = waiting.pop()
        message = message_in(given, f"messages[{number}]")
        named = text(message.get("parentMessageId"))
        yield message, above or (named if named != NOBODY else "") or None
        children = sequence(message.get("children"))
        waiting += [(child, text(message.get("messageId"))) for child in reversed(children)]
        number += 1


class _Messages:
    def __init__(self, model: str) -> None:
        self.model = model
        self.read: list[ImportedMessage] = []
        self.skipped: list[Skipped] = []

    def take(self, given: Mapping[str, Any], parent: str | None) -> None:
        id_ = text(given.get("messageId")) or str(len(self.read))
        written = moment(given.get("createdAt"))
        files = [*self._files(given, id_)]
        if given.get("isCreatedByUser") is True:
            said = text(given.get("text")) or _texts(given)
            self.read.append(
                ImportedMessage(id_, parent, Role.USER, said, written, parts=tuple(files))
            )
            return
        pieces = Pieces(id_)
        blocks = sequence(given.get("content")) or [{"type": "text", "text": given.get("text")}]
        for block in filter(None, blocks):  # A block in the list may be empty.
            self._block(pieces, mapping(block))
        self.read += pieces.messages(parent, written, text(given.get("model")) or self.model, files)

    def _files(self, given: Mapping[str, Any], id_: str) -> Iterator[ImportedFile]:
        """Yield a message's files and images, of which the export has only the names."""
        named = [text(file.get("filename")) for file in map(mapping, sequence(given.get("files")))]
        blocks = map(mapping, sequence(given.get("content")))
        named += ["image" for block in blocks if text(block.get("type")) in PICTURES]
        for name in named:
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
    given = own.get("args") or own.get("arguments") or own.get("input")
    arguments = given if isinstance(given, str) else as_json(given or {})
    id_ = pieces.call(text(call.get("id")), text(own.get("name")) or kind, arguments)
    if output := text(own.get("output")) or _logs(own):
        pieces.result(id_, "", output)


def _logs(call: Mapping[str, Any]) -> str:
    """Return the output of a code interpreter."""
    outputs = map(mapping, sequence(call.get("outputs")))
    return "\n".join(filter(None, (text(output.get("logs")) for output in outputs)))


def _texts(given: Mapping[str, Any]) -> str:
    blocks = map(mapping, sequence(given.get("content")))
    return "\n\n".join(filter(None, (_text(block.get("text")) for block in blocks)))


def _text(given: object) -> str:
    """Read a text, or a text inside an object, which OpenAI's assistants use."""
    return text(given) or text(mapping(given).get("value"))

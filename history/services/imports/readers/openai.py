"""Transcripts in OpenAI's chat format: lists of messages, request bodies, or lines of either."""

import binascii
from base64 import b64decode
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar

from history.core.formats.openai_message import ROLES
from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import Reasoning, ReasoningForm
from history.services.imports.building import MOST_MESSAGES
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
from history.services.imports.readers.each import each
from history.services.imports.readers.values import (
    mapping,
    message_in,
    moment,
    sequence,
    text,
)


class OpenAIReader:
    format: ClassVar[str] = "openai"

    def takes(self, head: Head) -> bool:
        is_message = "role" in head.fields and bool({"content", "tool_calls"} & head.fields)
        return is_message or "messages" in head.fields

    def read(self, source: Source) -> Iterator[Read]:
        for document in source.documents:
            head = source.head(document)
            # An object with a role is a message, so the whole document is one chat.
            if "role" in head.fields:
                yield from each(_whole(source, document, in_lines=head.is_lines), chat_of)
            elif head.is_lines:
                yield from each(source.lines(document), chat_of)
            else:
                yield from each(source.items(document, "item" if head.is_list else ""), chat_of)


def _whole(source: Source, document: str, *, in_lines: bool) -> Iterator[Any]:
    """Yield the whole document as one chat, within the limits for a chat."""
    if in_lines:
        values = source.lines(document, is_one_chat=True)
        yield {"messages": list(islice(values, MOST_MESSAGES + 1))}
        return
    for value in source.items(document, ""):
        messages = value if isinstance(value, list) else [value]
        yield value if isinstance(value, Skipped) else {"messages": messages}


def chat_of(chat: Mapping[str, Any]) -> ImportedChat:
    """Read one chat. Raise `Unreadable` if the value is no chat."""
    if not isinstance(messages := chat.get("messages"), list):
        raise Unreadable(Why.NO_CHAT)
    work = _Messages(text(chat.get("model")))
    for number, message in enumerate(messages):
        work.take(number, message)
    return ImportedChat(
        source=text(chat.get("id")),
        title=text(chat.get("title")) or text(mapping(chat.get("metadata")).get("title")),
        created=moment(chat.get("created") or chat.get("created_at")),
        messages=tuple(work.read),
        skipped=tuple(work.skipped),
    )


class _Messages:
    """The messages of one chat, each of which follows the one before it."""

    def __init__(self, model: str) -> None:
        self.model = model
        self.read: list[ImportedMessage] = []
        self.skipped: list[Skipped] = []
        self._asked = ""  # The id of a function_call that has no answer yet.

    def take(self, number: int, value: Any) -> None:
        if isinstance(value, Skipped):
            self.skipped.append(value)
            return
        at = f"messages[{number}]"
        message = message_in(value, at)
        role = ROLES.get(text(message.get("role")))
        if role is None:
            figures = {"role": text(message.get("role"))[:50]}
            self.skipped.append(Skipped(Why.UNKNOWN_ROLE, at, figures))
            return
        self.read.append(self._message(number, role, message))

    def _message(self, number: int, role: Role, message: Mapping[str, Any]) -> ImportedMessage:
        content = Content(f"messages[{number}]")
        thoughts = _thoughts(message) if role is Role.ASSISTANT else ()
        content.take(message.get("content"))
        content.add(text(message.get("refusal")))
        self.skipped += content.skipped
        return ImportedMessage(
            id=str(number),
            parent=self.read[-1].id if self.read else None,
            role=role,
            text=content.text,
            created=moment(message.get("created") or message.get("created_at")),
            model=(text(message.get("model")) or self.model) if role is Role.ASSISTANT else "",
            calls=self._calls(number, message) if role is Role.ASSISTANT else (),
            call_id=self._answered(message) if role is Role.TOOL else "",
            tool_name=text(message.get("name")) if role is Role.TOOL else "",
            parts=(*thoughts, *content.files),
        )

    def _calls(self, number: int, message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
        calls = [
            _call(message_in(call, f"messages[{number}].tool_calls"), f"call_{number}_{place}")
            for place, call in enumerate(sequence(message.get("tool_calls")))
        ]
        if function := mapping(message.get("function_call")):
            self._asked = f"function_call_{number}"
            calls.append(_call({"function": function}, self._asked))
        return tuple(calls)

    def _answered(self, message: Mapping[str, Any]) -> str:
        return text(message.get("tool_call_id")) or self._asked


def _call(call: Mapping[str, Any], id_: str) -> ToolCall:
    function = mapping(call.get("function")) or mapping(call.get("custom"))
    arguments = text(function.get("arguments")) or text(function.get("input")) or "{}"
    return ToolCall(text(call.get("id")) or id_, text(function.get("name")), arguments)


def _thoughts(message: Mapping[str, Any]) -> tuple[Reasoning, ...]:
    thought = text(message.get("reasoning_content")) or text(message.get("reasoning"))
    return (Reasoning(ReasoningForm.TEXT, thought),) if thought else ()


class Content:
    """The content of a message, which is a text or a list of parts."""

    def __init__(self, at: str) -> None:
        self.at = at
        self.texts: list[str] = []
        self.files: list[ImportedFile] = []
        self.skipped: list[Skipped] = []

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    def add(self, words: str) -> None:
        if words:
            self.texts.append(words)

    def take(self, content: object) -> None:
        """Read the content. Raise `Unreadable` unless it is a text, a list or absent."""
        if isinstance(content, list):
            for part in content:
                self._part({"type": "text", "text": part} if isinstance(part, str) else part)
        elif isinstance(content, str):
            self.add(content)
        elif content is not None:
            raise Unreadable(Why.NO_MESSAGE, self.at)

    def _part(self, value: object) -> None:
        part = message_in(value, self.at)
        match kind := text(part.get("type")):
            case "text" | "input_text" | "output_text":
                self.add(text(part.get("text")))
            case "refusal":
                self.add(text(part.get("refusal")))
            case "image_url" | "input_image":
                self._image(part.get("image_url"))
            case "file" | "input_file":
                file = mapping(part.get("file")) or part
                self._file(text(file.get("file_data")), text(file.get("filename")) or "file")
            case _:
                self.skipped.append(unknown_part(kind, self.at))

    def _image(self, value: object) -> None:
        self._file(text(value) or text(mapping(value).get("url")), "image")

    def _file(self, address: str, name: str) -> None:
        data = data_of(address)
        if data is None:
            why = Why.FETCHED if address.startswith(("http:", "https:")) else Why.NO_FILE
            self.skipped.append(Skipped(why, name))
        self.files.append(ImportedFile(name, data, at=len(self.text)))


def data_of(address: str) -> bytes | None:
    """Return the bytes of an address `data:TYPE;base64,DATA`; None for any other address."""
    header, comma, data = address.partition(",")
    if not (comma and header.startswith("data:") and header.endswith(";base64")):
        return None
    try:
        return b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None

"""Prepare a chat to be stored: its branches, pairs, texts and tokens. No database is used."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeAlias

from django.conf import settings
from django.utils import timezone

from history.core.settings.layers import validate
from history.core.settings.spec import LayerName
from history.core.transcript.messages import Role
from history.core.transcript.parts import Part, Reasoning, attached_tokens
from history.core.words.errors import SettingErrors
from history.core.words.storable import storable
from history.services.imports.chats import (
    ImportedChat,
    ImportedFile,
    ImportedMessage,
    Skipped,
    Unreadable,
    Why,
)
from history.services.imports.pairing import Pairs
from history.services.imports.tree import TreeBranch, branches_of
from history.services.media.attaching import AttachableFile
from history.services.media.keeping import StoredFile
from history.services.path.appending import ImportDetails, NewMessage, assistant_message
from history.tokens import count_message

MOST_MESSAGES = 50_000
MOST_MISSING = 100  # How many names of missing files are kept for a message.
LONGEST_NAME, LONGEST_AGENT = 200, 50
Looked: TypeAlias = tuple[AttachableFile, Sequence[StoredFile]]
Files: TypeAlias = Mapping[ImportedFile, Looked]


@dataclass(frozen=True, slots=True)
class BuiltMessage:
    """A message without a position yet, with its id in the file and its attached files."""

    id: str
    new: NewMessage
    files: tuple[Looked, ...] = ()


@dataclass(frozen=True, slots=True)
class BuiltBranch:
    of: int | None
    through: int
    messages: tuple[BuiltMessage, ...]


@dataclass(frozen=True, slots=True)
class Built:
    """A chat that is ready to be stored. `size` is the size of its texts and records, in bytes."""

    chat: ImportedChat
    lines: tuple[BuiltBranch, ...]
    current: int
    skipped: tuple[Skipped, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        new = [placed.new for line in self.lines for placed in line.messages]
        records = sum(len(record.packed) for record in self.chat.records)
        return records + sum(said_in(each) + each.size - len(each.text.encode()) for each in new)


def build(chat: ImportedChat, files: Files, *, instructs: bool) -> Built:
    """Build a chat. Raise `Unreadable` if it cannot be stored as a whole."""
    if (count := len(chat.messages)) > MOST_MESSAGES:
        raise Unreadable(Why.TOO_MANY, count=count, most=MOST_MESSAGES)
    tree = branches_of(chat.messages, chat.current)
    if not tree.lines:
        raise Unreadable(Why.NO_MESSAGES)
    work = _Work(chat, files, instructs=instructs)
    lines = tuple(work.line(line) for line in tree.lines)
    own, unfit = _settings(chat)
    return Built(chat, lines, tree.current, (*chat.skipped, *tree.skipped, *unfit), own)


class _Work:
    def __init__(self, chat: ImportedChat, files: Files, *, instructs: bool) -> None:
        self.files, self.instructs = files, instructs
        self.pairs = Pairs()
        self.now = timezone.now()
        self.start = chat.created or next((m.created for m in chat.messages if m.created), self.now)

    def line(self, line: TreeBranch) -> BuiltBranch:
        paired = self.pairs.paired(line.messages)
        return BuiltBranch(line.of, line.through, tuple(self._placed(paired)))

    def _placed(self, messages: Iterator[ImportedMessage]) -> Iterator[BuiltMessage]:
        created = self.start
        for message in messages:
            created = message.created or created
            files = [self.files[part] for part in _files(message) if part in self.files]
            yield BuiltMessage(message.id, self._new(message, created), tuple(files))

    def _missing(self, message: ImportedMessage) -> tuple[str, ...]:
        """Return the names of those of the message's files whose bytes are missing, each once."""
        names = [file.name for file in _files(message) if file not in self.files]
        all_names = map(storable, (*message.missing, *names))
        return tuple(dict.fromkeys(name[:LONGEST_NAME] for name in all_names))[:MOST_MISSING]

    def _new(self, message: ImportedMessage, created: datetime) -> NewMessage:
        text = storable(message.text)
        parts = tuple(self._parts(message, len(text)))
        is_withheld = message.role is Role.SYSTEM and not self.instructs
        model = storable(message.model)[:120]
        new = _counted(message, text, parts)
        size, most = said_in(new), settings.MAX_MESSAGE_BYTES
        if size > most:
            raise Unreadable(Why.TOO_LONG, size=size, most=most)
        imported = ImportDetails(
            min(created, self.now),
            model,
            withheld=is_withheld,
            answer=message.answer,
            missing=self._missing(message),
        )
        return replace(new, imported=imported)

    def _parts(self, message: ImportedMessage, longest: int) -> Iterator[Part]:
        for part in message.parts:
            if isinstance(part, Reasoning):
                text = storable(part.text)
                # Vitrine counts the tokens of a text itself.
                yield replace(part, text=text, tokens=0 if text else part.tokens)
            elif part in self.files:
                file, _ = self.files[part]
                at = min(part.at, longest)
                yield from (replace(own, at=at) for own in file.parts)


def _counted(message: ImportedMessage, text: str, parts: tuple[Part, ...]) -> NewMessage:
    if message.role is Role.ASSISTANT:
        calls = [replace(call, arguments=storable(call.arguments)) for call in message.calls]
        return assistant_message(text, calls, storable(message.agent)[:LONGEST_AGENT], parts)
    return NewMessage(
        message.role,
        text,
        count_message(message.role, text, ()) + attached_tokens(parts),
        parts=parts,
        call_id=storable(message.call_id),
        tool_name=storable(message.tool_name)[:200],
        failed=message.failed,
        took_ms=message.took_ms,
    )


def said_in(new: NewMessage) -> int:
    """Count the bytes of what a message itself says: its text, thoughts and calls."""
    thoughts = [part for part in new.parts if isinstance(part, Reasoning)]
    words = (new.text, *(part.text for part in thoughts), *(call.arguments for call in new.calls))
    fields = (*(part.fields for part in thoughts), *(call.fields for call in new.calls))
    own = sum(len(json.dumps(dict(each))) for each in fields if each)
    return sum(len(word.encode()) for word in words) + own


def _settings(chat: ImportedChat) -> tuple[dict[str, Any], list[Skipped]]:
    """Return the settings that the chat may keep, and a note on each that no chat may have."""
    own: dict[str, Any] = {}
    unfit: list[Skipped] = []
    for name, value in chat.settings.items():
        try:
            own |= validate(LayerName.CONVERSATION, {name: value})
        except SettingErrors:
            unfit.append(Skipped(Why.SETTING, chat.title, {"name": name[:50]}))
    return own, unfit


def _files(message: ImportedMessage) -> list[ImportedFile]:
    return [part for part in message.parts if isinstance(part, ImportedFile)]

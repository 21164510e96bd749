"""The values that a reader makes of a file: chats with their messages, and what it skipped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeAlias

from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import Reasoning
from history.models.file_answer import FileAnswer


class Why(StrEnum):
    """A reason why something was skipped; `history.wording.imports` words it. The comments name
    its figures, or explain it.
    """

    UNKNOWN_FORMAT = "unknown_format"
    MARKDOWN = "markdown"  # Our own export in Markdown.
    DAMAGED = "damaged"  # A member of an archive is damaged.
    CUT = "cut"  # An archive is damaged or cut off, so that nothing can be read.
    NOT_JSON = "not_json"  # byte
    LINE = "line"  # line, character; it is not JSON.
    NOT_UTF8 = "not_utf8"
    TOO_LARGE = "too_large"  # most, in bytes
    TOO_COMPLEX = "too_complex"  # most, in values
    TOO_DEEP = "too_deep"  # most, in levels
    NO_CHAT = "no_chat"  # It lacks the fields of a chat.
    NO_MESSAGES = "no_messages"
    NO_MESSAGE = "no_message"
    DUPLICATE_ID = "duplicate_id"
    NO_PARENT = "no_parent"
    CYCLE = "cycle"  # count
    UNKNOWN_ROLE = "unknown_role"  # role
    UNKNOWN_PART = "unknown_part"  # kind
    HIDDEN = "hidden"  # count; the other program did not show them either.
    OTHER_BYTES = "other_bytes"  # A file's bytes have another digest than stated.
    NO_FILE = "no_file"  # The imported file names an attached file that it lacks.
    FILE_REFUSED = "file_refused"  # code, figures: see chatapp.uploads.sentences
    TOO_LONG = "too_long"  # size, most
    TOO_MANY = "too_many"  # count, most
    SETTING = "setting"  # name
    OTHER_VERSION = "other_version"  # version, known
    UNFIT = "unfit"
    RECORDS = "records"  # count; records too large to keep, or of a message that is missing.
    FETCHED = "fetched"  # A file is given only by an address; imports fetch nothing.
    FAULT = "fault"  # A bug of ours; it is in the log.


class Unreadable(Exception):
    """A file, or a chat in it, cannot be read. Nothing of it was stored."""

    def __init__(self, why: Why, where: str = "", **figures: str | int) -> None:
        super().__init__(str(why))
        self.skipped = Skipped(why, where, figures)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A thing that was not imported. `where` is the other program's name for it: a title, an id,
    a file.
    """

    why: Why
    where: str = ""
    figures: Mapping[str, str | int] = field(default_factory=dict, hash=False)

    def as_dict(self) -> dict[str, Any]:
        return {"rule": str(self.why), "where": self.where[:200], "figures": dict(self.figures)}


def unknown_part(kind: str, where: str) -> Skipped:
    return Skipped(Why.UNKNOWN_PART, where, {"kind": kind[:50]})


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file of a message: its bytes, or the name of the member of the source that has them. With
    neither it is known by its name alone.

    It is checked like any attached file before it is stored: neither its name nor its type is
    trusted. `at` is its place in the text, as parts have it. `digest` is the SHA-256 that its
    bytes must have, if the file says so.
    """

    name: str
    data: bytes | None = None
    member: str = ""
    at: int = 0
    digest: str = ""

    @property
    def is_there(self) -> bool:
        """Whether the file's bytes are given, or the member of the source that has them."""
        return self.data is not None or bool(self.member)


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """One message. `id` and `parent` are the file's own; None is the parent of a first message.

    `call_id` and `took_ms` are set on a tool result only. `parts` are what it holds besides its
    text, in order. Two come from our own files only: `answer`, with the first message of an answer,
    and `missing`, the names of files that an earlier import lacked.
    """

    id: str
    parent: str | None
    role: Role
    text: str = ""
    created: datetime | None = None
    model: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    tool_name: str = ""
    failed: bool = False
    took_ms: int | None = None
    parts: tuple[Reasoning | ImportedFile, ...] = ()
    answer: FileAnswer | None = None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedRecord:
    """The record of a request or a summary in a file of ours, as compressed JSON that nobody has
    checked. `message` is the id of the newest message that the request or summary covers.
    """

    message: str
    packed: bytes
    kind: str = "request"


@dataclass(frozen=True, slots=True)
class ImportedChat:
    """One chat. Its messages form trees; only the order among children of one parent matters.

    `source` is its id in the other program, by which it is known again. `current` is the message
    that the open branch ends with; None: the last message's. `agent` is a name or slug of ours.
    The rest comes from our own files only: `marks` by message id (pin or exclusion), `settings` of
    the chat, `records`, and whether it `is_pinned` or `is_archived`.
    """

    source: str
    title: str
    messages: Sequence[ImportedMessage]
    created: datetime | None = None
    current: str | None = None
    agent: str = ""
    skipped: tuple[Skipped, ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    records: tuple[ImportedRecord, ...] = ()
    is_pinned: bool = False
    is_archived: bool = False


Read: TypeAlias = ImportedChat | Skipped

"""What a reader makes of a file: chats with their messages, and notes on what it skipped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeAlias

from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import Reasoning
from history.models.file_answer import FileAnswer


class Why(StrEnum):
    """A reason why something was skipped, for which `history.wording.imports` has the words. The
    comments name the reason's figures, or explain it.
    """

    UNKNOWN_FORMAT = "unknown_format"
    MARKDOWN = "markdown"  # The file is our own export in Markdown.
    DAMAGED = "damaged"  # One member of an archive is damaged.
    CUT = "cut"  # An archive is cut off or damaged, and unreadable.
    NOT_JSON = "not_json"  # Facts with this reason have the figure `byte`.
    # Facts with this reason have the figures `line` and `character`; this line is not JSON.
    LINE = "line"
    NOT_UTF8 = "not_utf8"
    TOO_LARGE = "too_large"  # Facts with this reason have the figure `most`, in bytes.
    # Facts with this reason have the figure `most`, a number of values.
    TOO_COMPLEX = "too_complex"
    TOO_DEEP = "too_deep"  # Facts with this reason have the figure `most`, in levels of nesting.
    NO_CHAT = "no_chat"  # The value lacks the fields of a chat.
    NO_MESSAGES = "no_messages"
    NO_MESSAGE = "no_message"
    DUPLICATE_ID = "duplicate_id"
    NO_PARENT = "no_parent"
    CYCLE = "cycle"  # Facts with this reason have the figure `count`.
    UNKNOWN_ROLE = "unknown_role"  # Facts with this reason have the figure `role`.
    UNKNOWN_PART = "unknown_part"  # Facts with this reason have the figure `kind`.
    # Facts with this reason have the figure `count`, of messages hidden in the other program, too.
    HIDDEN = "hidden"
    OTHER_BYTES = "other_bytes"  # A file's bytes have another digest than stated.
    NO_FILE = "no_file"  # The imported file names an attached file that it lacks.
    # Facts with this reason have the figures `code`, and those that its sentence needs.
    FILE_REFUSED = "file_refused"
    TOO_LONG = "too_long"  # Facts with this reason have the figures `size` and `most`.
    TOO_MANY = "too_many"  # Facts with this reason have the figures `count` and `most`.
    SETTING = "setting"  # Facts with this reason have the figure `name`.
    # Facts with this reason have the figures `version` and `known`.
    OTHER_VERSION = "other_version"
    UNFIT = "unfit"
    # Facts with this reason have the figure `count`, of records too large or without message.
    RECORDS = "records"
    FETCHED = "fetched"  # A file is given only by an address; imports fetch nothing.
    FAULT = "fault"  # Vitrine has a bug; its log has the details.


class Unreadable(Exception):
    """A file, or a chat in it, cannot be read. None of it was stored."""

    def __init__(self, why: Why, where: str = "", **figures: str | int) -> None:
        super().__init__(str(why))
        self.skipped = Skipped(why, where, figures)


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was not imported. `where` is the other program's name for it: a title, an id,
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
    """A file of a message: its bytes, or the name of the member of the source that has them. A file
    with neither is known only by its name.

    It is checked like any attached file before it is stored: neither its name nor its type is
    trusted. `at` is its place in the text, as in a part. `digest` is the SHA-256 that its bytes
    must have, if the imported file states it.
    """

    name: str
    data: bytes | None = None
    member: str = ""
    at: int = 0
    digest: str = ""

    @property
    def is_there(self) -> bool:
        """Whether the file's bytes are given, or the source has a member with them."""
        return self.data is not None or bool(self.member)


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """One message. `id` and `parent` are those of the file; the parent of a first message is None.

    `call_id` and `took_ms` are set only on a tool result. `parts` are what it contains besides its
    text, in order. Only Vitrine's own files give three fields: `agent`, the name of the agent that
    wrote an answer; `answer`, with the first message of an answer; and `missing`, the names of
    files that an earlier import lacked.
    """

    id: str
    parent: str | None
    role: Role
    text: str = ""
    created: datetime | None = None
    model: str = ""
    agent: str = ""
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
    """The record of a request or a summary in one of Vitrine's own files, as compressed JSON that
    nobody has checked. `message` is the id of the newest message that the request or summary
    covers.
    """

    message: str
    packed: bytes
    kind: str = "request"


@dataclass(frozen=True, slots=True)
class ImportedChat:
    """One chat. Its messages form trees; their order matters only among children of the same
    parent.

    `source` is its id in the other program, by which it is recognised. `current` is the message
    with which the open branch ends; None means the last message. `agent` is the name or slug of an
    agent in Vitrine. Only Vitrine's own files give the other fields: `marks` by message id (pin or
    exclusion), `settings` of the chat, `records`, and whether it `is_pinned` or `is_archived`.
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

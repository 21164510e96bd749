"""What a transcript consists of: messages with their calls, and runs that were not read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from history.core.transcript.parts import File, Image, Part


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model's request to run a tool. `arguments` is JSON text as the model wrote it.

    `fields` are the provider's own, kept word for word, such as a signature; "id" among them is the
    id that the provider gave, if ours replaced it.
    """

    id: str
    name: str
    arguments: str
    tokens: int = 0
    fields: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of the transcript. `position` is its place on the path, which never changes.

    `turn` counts the user messages up to and including this one; a greeting before them is in turn
    0. `tokens` is what the message costs altogether: text, calls, images, files and the format's
    overhead, but not its reasoning, which is counted only when it is sent.
    """

    position: int
    role: Role
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None  # Only a tool's result has the id of a call.
    tool_name: str | None = None
    turn: int = 0
    tokens: int = 0
    # The message is an imported file's instruction, which is shown but never sent.
    withheld: bool = False
    cold: bool = False  # The provider's cache had expired before this message.
    label: str = ""  # Only a projection's note has a label, which says what the note stands for.
    parts: tuple[Part, ...] = ()

    @property
    def has_text(self) -> bool:
        return bool(self.text.strip())

    @property
    def images(self) -> int:
        """How many images the message holds."""
        return sum(isinstance(part, Image) for part in self.parts) if self.parts else 0

    @property
    def files(self) -> int:
        return sum(isinstance(part, File) for part in self.parts) if self.parts else 0


@dataclass(frozen=True, slots=True)
class Unread:
    """A run of messages that was not loaded, because it is left out whatever it says.

    `results` is the number of its tool results; `images` and `files` are counts over its messages.
    """

    first: int
    last: int
    first_turn: int
    last_turn: int
    tokens: int
    results: int = 0
    images: int = 0
    files: int = 0

    @property
    def position(self) -> int:
        """The position of the run's first message, so that a run has a position like a message."""
        return self.first

    @property
    def count(self) -> int:
        return self.last - self.first + 1


Transcript: TypeAlias = tuple[Message | Unread, ...]

"""The interface of a format's reader, and of the files that readers read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from history.services.imports.chats import Read, Unreadable


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a document, which is enough to tell its format.

    `is_list`: it is a list, and the other fields describe its first item. `is_lines`: it has one
    value per line, and the other fields describe the first. `fields` are the names in that object;
    `values` are those of its values that are plain: texts, numbers, booleans. `fault` is where the
    JSON became invalid; if a reader takes the document, it reports that when it reads the rest.
    """

    is_list: bool = False
    is_lines: bool = False
    fields: frozenset[str] = frozenset()
    values: Mapping[str, Any] = field(default_factory=dict)
    fault: Unreadable | None = None


class Source(Protocol):
    """A supplied file, which is one document, or an archive with several."""

    @property
    def documents(self) -> tuple[str, ...]:
        """The names of its JSON documents in order; a plain file is one, with its own name."""

    @property
    def members(self) -> tuple[str, ...]:
        """The names of all members of the archive; a plain file has none."""

    def head(self, document: str) -> Head:
        """Describe how a document begins."""

    def items(self, document: str, path: str = "item") -> Iterator[Any]:
        """Yield the values at a path in ijson's notation one by one, with `Skipped` in place of one
        that is too large or too deep. Raise `Unreadable` where the JSON becomes invalid.
        """

    def lines(self, document: str, *, is_one_chat: bool = False) -> Iterator[Any]:
        """Yield the value of each line, with `Skipped` in place of one that is not JSON or too
        large. `is_one_chat`: all lines are one chat, and the limits apply to all of them.
        """

    def sections(self, document: str) -> Iterator[tuple[str, Any]]:
        """Yield the values in the document's object by name; items of a list one by one."""

    def read(self, member: str) -> bytes:
        """Return a member's bytes. Raise `Unreadable` if it does not exist, or is too large."""


class Reader(Protocol):
    """A reader of one format."""

    format: ClassVar[str]  # The format's name, as it is stored.

    def takes(self, head: Head) -> bool:
        """Whether a document with this beginning is in this format."""

    def read(self, source: Source) -> Iterator[Read]:
        """Yield chats one by one, and `Skipped` in place of what can't be imported. Raise
        `Unreadable` where the rest of the file can't be read; what was yielded before that counts.
        """

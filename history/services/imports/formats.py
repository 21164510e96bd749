"""The interfaces of readers of formats, and of the files that they read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from history.services.imports.chats import Read


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a document: enough to tell its format.

    `is_list`: it is a list, and the rest describes its first item. `is_lines`: one value a line,
    and the rest describes the first one. `fields` are the names in that object; `values` are the
    plain ones among its values: texts, numbers, booleans.
    """

    is_list: bool = False
    is_lines: bool = False
    fields: frozenset[str] = frozenset()
    values: Mapping[str, Any] = field(default_factory=dict)


class Source(Protocol):
    """A file that was supplied: one document, or an archive with several."""

    @property
    def documents(self) -> tuple[str, ...]:
        """The names of its JSON documents, in order; a plain file is one, under its own name."""

    @property
    def members(self) -> tuple[str, ...]:
        """The names of all its members; a plain file has none."""

    def head(self, document: str) -> Head:
        """Describe a document by its beginning."""

    def items(self, document: str, path: str = "item") -> Iterator[Any]:
        """Yield the values at a path, in ijson's notation, one by one, and `Skipped` for one
        too large or too deep. Raise `Unreadable` where the JSON becomes invalid.
        """

    def lines(self, document: str, *, together: bool = False) -> Iterator[Any]:
        """Yield the value of each line, and `Skipped` in place of one that is no JSON or too large.
        `together`: all lines are one chat, and are bounded as one.
        """

    def sections(self, document: str) -> Iterator[tuple[str, Any]]:
        """Yield what the document's object holds, by name; the items of a list one by one."""

    def read(self, member: str) -> bytes:
        """Return a member's bytes. Raise `Unreadable` if there is none, or it is too large."""


class Reader(Protocol):
    """Reads one format."""

    format: ClassVar[str]  # Its name, as stored.

    def takes(self, head: Head) -> bool:
        """Whether a document with this beginning is in this format."""

    def read(self, source: Source) -> Iterator[Read]:
        """Yield chats one by one, and `Skipped` for what can't be taken. Raise `Unreadable` where
        the file can't be read any further; what was yielded before counts.
        """

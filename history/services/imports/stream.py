"""Read JSON as a stream within limits. This is the only file that uses ijson.

A file may be much larger than memory, and hostile, with one endless text or a million levels. At
any time memory contains only one item, whose size, depth and number of values are limited.
"""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

import ijson

from history.core.words.json_text import DEEPEST, TooDeep, read_json
from history.services.imports.chats import Skipped, Unreadable, Why
from history.services.imports.formats import Head
from history.services.imports.places import ENDS, STARTS, Place, Section

MOST_BYTES = 128_000_000  # The most bytes of an item: a chat with images in base64.
MOST_VALUES = 2_000_000
MOST_LEVELS = 2_000  # Some formats nest each message inside the one before it.
LOOKED_AT = 300_000  # The most values to read for a description of how a document begins.
MARK = b"\xef\xbb\xbf"


class Allowance:
    """The number of bytes that may still be read of all documents together."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def take(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise Unreadable(Why.TOO_LARGE, most=self.most)


class BoundedStream:
    """A stream that raises `Unreadable` when its allowance is used up, or when too many bytes were
    read since `mark`.
    """

    def __init__(self, stream: BinaryIO, allowed: Allowance) -> None:
        self.stream, self.allowed = stream, allowed
        self.count = self._marked = 0
        beginning = stream.read(len(MARK))
        if beginning[:2] in {b"\xff\xfe", b"\xfe\xff"}:
            raise Unreadable(Why.NOT_UTF8)
        self._ahead = b"" if beginning == MARK else beginning

    def mark(self) -> None:
        self._marked = self.count

    def read(self, size: int = -1) -> bytes:
        if size == 0:
            return b""
        data, self._ahead = self._ahead, b""
        data = data or self.stream.read(size if size >= 0 else 65_536)
        self.count += len(data)
        self.allowed.take(len(data))
        if self.count - self._marked > MOST_BYTES + 1_000_000:
            raise Unreadable(Why.TOO_LARGE, most=MOST_BYTES)
        return data


def items(stream: BoundedStream, path: str) -> Iterator[Any]:
    """Yield the values at the path one by one, with `Skipped` in place of one that has too many
    values or levels.

    Raise `Unreadable` where the text is no longer JSON.
    """
    stream.mark()
    building: _Value | None = None
    place = Place(path)
    for event, value in _events(stream):
        if building is None:
            if not place.is_at(event):
                place.move(event, value)
                continue
            building = _Value()
        building.take(event, value)
        if building.is_whole:
            yield building.value
            building = None
            stream.mark()


def sections(stream: BoundedStream) -> Iterator[tuple[str, Any]]:
    """Yield the values of an object by name, with the items of a list one by one, limited as in
    `items`.

    Raise `Unreadable` where the text is no longer JSON.
    """
    stream.mark()
    building: _Value | None = None
    place = Section()
    for event, value in _events(stream):
        if building is None:
            if place.moves(event, value):
                continue
            building = _Value()
        building.take(event, value)
        if building.is_whole:
            yield place.name, building.value
            building = None
            stream.mark()


def lines(stream: BoundedStream, *, is_one_chat: bool = False) -> Iterator[Any]:
    """Yield the value of each line that is not blank, with `Skipped` in place of one that is not
    JSON or too large.

    `is_one_chat`: the lines are one chat, and the limits apply to all of them.
    """
    count = 0
    for number, line in enumerate(_split(stream), 1):
        count = _most_values_in(line) + (count if is_one_chat else 0)
        if count > MOST_VALUES:
            yield Skipped(Why.TOO_COMPLEX, figures={"line": number, "most": MOST_VALUES})
        elif line.strip():
            yield _line(line, number)
        if not is_one_chat:
            stream.mark()


def head(stream: BoundedStream) -> Head:
    """Describe how a document begins. Raise `Unreadable` if it does not begin as JSON does."""
    first, number, fault = _First(), -1, None
    try:
        for number, (event, value) in enumerate(_events(stream, several=True)):
            first.take(event, value)
            if number > LOOKED_AT or first.is_enough:
                break
    except Unreadable as error:
        if number < 0 and error.skipped.why is Why.NOT_JSON:
            raise Unreadable(Why.UNKNOWN_FORMAT) from error
        fault = error
    plain = dict(first.values)
    return Head(first.is_list, first.is_lines, frozenset(first.fields), plain, fault)


class _Value:
    """A value that is being built; beyond the limits it is only followed to its end."""

    def __init__(self) -> None:
        self._builder = ijson.ObjectBuilder()
        self._depth = self._values = 0
        self._over: Skipped | None = None

    def take(self, event: str, value: Any) -> None:
        self._depth += (event in STARTS) - (event in ENDS)
        self._values += 1
        if self._depth > MOST_LEVELS:
            self._drop(Why.TOO_DEEP, MOST_LEVELS)
        if self._values > MOST_VALUES:
            self._drop(Why.TOO_COMPLEX, MOST_VALUES)
        if not self._over:
            self._builder.event(event, value)

    @property
    def is_whole(self) -> bool:
        return self._depth == 0

    @property
    def value(self) -> Any:
        return self._over or self._builder.value

    def _drop(self, why: Why, most: int) -> None:
        self._over = self._over or Skipped(why, figures={"most": most})
        self._builder = ijson.ObjectBuilder()


class _First:
    """What is known so far about the first object of a document."""

    def __init__(self) -> None:
        self.is_list = self.is_lines = self.is_enough = False
        self.fields: list[str] = []
        self.values: list[tuple[str, Any]] = []
        self._depth = self._wanted = 0
        self._is_done = False

    def take(self, event: str, value: Any) -> None:
        if self._depth == 0 and self._wanted:  # A second value begins, at the top level.
            self.is_lines, self.is_enough = not self.is_list, True
            return
        if event in STARTS:
            self._start(event)
        elif event in ENDS:
            self._depth -= 1
            self._is_done = self._is_done or self._depth < self._wanted
            self.is_enough = self._is_done and self.is_list
        elif self._depth == self._wanted and not self._is_done:
            self._note(event, value)

    def _start(self, event: str) -> None:
        if self._depth == 0:
            self.is_list = event == "start_array"
            self._wanted = 2 if self.is_list else 1
        self._depth += 1

    def _note(self, event: str, value: Any) -> None:
        if event == "map_key":
            self.fields.append(value)
        elif self.fields:
            self.values.append((self.fields[-1], value))


def _split(stream: BoundedStream) -> Iterator[bytes]:
    rest: list[bytes] = []  # The pieces of a line whose end has not been read yet.
    while data := stream.read(65_536):
        *whole, last = data.split(b"\n")
        for line in whole:
            yield b"".join((*rest, line))
            rest = []
        rest.append(last)
    yield b"".join(rest)


def _most_values_in(line: bytes) -> int:
    """Return a quick upper limit of the number of values; commas in texts count, too."""
    return sum(map(line.count, (b",", b"[", b"{")))


def _line(line: bytes, number: int) -> Any:
    try:
        return read_json(line)
    except TooDeep:
        return Skipped(Why.TOO_DEEP, figures={"line": number, "most": DEEPEST})
    except ValueError as error:
        return Skipped(Why.LINE, figures={"line": number, "character": _place_in(error)})


def _place_in(error: ValueError) -> int:
    """Return the number of the character, from 1, at which a line is no longer JSON."""
    cause = error.__cause__
    return cause.colno if isinstance(cause, json.JSONDecodeError) else 1


def _events(stream: BoundedStream, *, several: bool = False) -> Iterator[tuple[str, Any]]:
    try:
        yield from ijson.basic_parse(stream, use_float=True, multiple_values=several)
    except (ijson.JSONError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise Unreadable(Why.NOT_JSON, byte=stream.count) from error
    except (ValueError, OverflowError) as error:  # A number in the text is invalid.
        raise Unreadable(Why.NOT_JSON, byte=stream.count) from error

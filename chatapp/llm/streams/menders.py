"""Mend bytes as they come: events, or JSON documents on a line each. The JSON is also read, and its
characters are counted.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from chatapp.llm.streams.events import DECODER
from chatapp.llm.streams.splitting import LONGEST, Splitter
from chatapp.llm.streams.tally import Tally

DONE = b"[DONE]"
MISREAD = re.compile(rb"[\x00-\x1f]|\xc2\x85|\xe2\x80[\xa8\xa9]|\[DONE\]")


class Event(NamedTuple):
    """An event's value, which is `DONE` at the end, and its JSON; that is empty if it had bytes
    that are no characters.
    """

    value: Any
    json: bytes


END = Event(DONE, DONE)
# Bytes are what else a stream contains, such as comments and the blank lines between events.
Item: TypeAlias = Event | bytes


def joined(items: list[Item]) -> bytes:
    """Return the bytes of these items, which nobody misreads."""
    return b"".join(
        b"data: %b\n\n" % _written(item) if isinstance(item, Event) else item for item in items
    )


def _written(event: Event) -> bytes:
    if event is END or (event.json and not MISREAD.search(event.json)):
        return event.json
    return json.dumps(event.value).replace("[DONE]", "[DONE\\u005d").encode()


class AsItIs:
    """Leaves a body unchanged."""

    def feed(self, piece: bytes) -> list[Item]:
        return [piece]

    def end(self) -> list[Item]:
        return []


class Mender:
    """Mends server-sent events. Feed it all bytes in order, then call `end`; both return what has
    come. Empty and unreadable events are left out.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._lines = Splitter()
        self._held: list[bytes] = []  # Data of an event that goes on in the next line.
        self._size = 0  # The size in bytes of the data that is held.

    def feed(self, piece: bytes) -> list[Item]:
        return [item for line in self._lines.feed(piece) for item in self._line(line)]

    def end(self) -> list[Item]:
        """Return the rest. Streams may end without the last line end and blank line, because many
        readers accept that.
        """
        rest = self._line(self._lines.rest) if self._lines.rest else ()
        return [*rest, *self._event()]

    def _line(self, line: bytes) -> Iterator[Item]:
        if line.startswith((b"data:", b"{")) or line == b"data":
            yield from self._data(line.removeprefix(b"data").removeprefix(b":").strip())
        elif line:
            yield MISREAD.sub(b" ", line) + b"\n"
        else:
            yield from self._event()
            yield b"\n"

    def _data(self, data: bytes) -> Iterator[Item]:
        """Yield an event whose JSON ends on this line; hold one that goes on in the next line."""
        if self._held:
            self._hold(data)
        elif data == DONE:
            yield self._end()
        elif data and (event := _parsed(data, self._tally)):
            yield event
        elif data.startswith((b"{", b"[")):
            self._hold(data)
        elif data:
            self._tally.broken += 1

    def _end(self) -> Event:
        self._tally.is_done = True
        return END

    def _hold(self, data: bytes) -> None:
        self._size += len(data) + 1
        if self._size > LONGEST:
            raise ValueError("an event of a stream is too long")
        self._held.append(data)

    def _event(self) -> Iterator[Item]:
        """Yield the held event, or several events if no blank lines separated them."""
        lines, self._held, self._size = self._held, [], 0
        if not lines:
            return
        if event := _parsed(b"\n".join(lines), self._tally):
            yield event
            return
        for data in lines:
            if data == DONE:
                yield self._end()
            elif event := _parsed(data, self._tally):
                yield event
            else:
                self._tally.broken += 1


class Documents:
    """Mends a body whose lines are JSON documents; other lines are unchanged."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._lines = Splitter()

    def feed(self, piece: bytes) -> list[Item]:
        return [self._line(line) for line in self._lines.feed(piece)]

    def end(self) -> list[Item]:
        return [self._line(self._lines.rest)] if self._lines.rest else []

    def _line(self, line: bytes) -> bytes:
        event = _parsed(line, self._tally) if line.strip() else None
        return (_written(event) if event else line) + b"\n"


def _parsed(data: bytes, tally: Tally) -> Event | None:
    """Return the event of this JSON, and count its characters; None if it is invalid.

    Control characters within texts are accepted, and invalid bytes are replaced.
    """
    try:
        event = Event(DECODER.decode(data.decode()), data)
    except UnicodeDecodeError:
        return _replaced(data, tally)
    except (ValueError, RecursionError):
        return None
    tally.count(event.value)
    return event


def _replaced(data: bytes, tally: Tally) -> Event | None:
    text = data.decode(errors="replace")
    try:
        value = DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    tally.replaced += text.count("\N{REPLACEMENT CHARACTER}")
    tally.count(value)
    return Event(value, b"")

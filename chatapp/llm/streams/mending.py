"""Write a provider's stream so that every reader understands it, and count what it says.

Libraries end lines at characters that end none, such as U+2028, take `[DONE]` inside of a text for
the end, and skip JSON that goes on in another line or holds a control character as it is. Then a
piece of the answer is gone without a word. So what they get has each event's JSON in one line, and
such characters escaped, which changes nothing of what it says.
"""

import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpx

from chatapp.llm.streams.splitting import LONGEST, Splitter
from chatapp.llm.streams.tally import Tally

DONE = b"[DONE]"
MISREAD = re.compile(rb"[\x00-\x1f]|\xc2\x85|\xe2\x80[\xa8\xa9]|\[DONE\]")
EVENTS = "text/event-stream"
DOCUMENTS = frozenset({"application/x-ndjson", "application/jsonl", "application/stream+json"})

_counted: ContextVar[Callable[[Tally | None], None] | None] = ContextVar("counted", default=None)


@contextmanager
def counted(note: Callable[[Tally | None], None]) -> Iterator[None]:
    """Call `note` with what will count each stream that answers what this task sends meanwhile;
    with None if its bytes say nothing by themselves.
    """
    token = _counted.set(note)
    try:
        yield
    finally:
        _counted.reset(token)


def mend(response: httpx.Response) -> None:
    if note := _counted.get():
        note(_mended(response))


def _mended(response: httpx.Response) -> Tally | None:
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    encoding = response.headers.get("content-encoding", "identity")
    pieces = response.stream
    if media_type not in {EVENTS, *DOCUMENTS} or encoding != "identity":
        return None
    if not response.is_success or not isinstance(pieces, httpx.AsyncByteStream):
        return None
    tally = Tally()
    response.stream = _Mended(pieces, Mender(tally, has_events=media_type == EVENTS))
    return tally


class _Mended(httpx.AsyncByteStream):
    def __init__(self, pieces: httpx.AsyncByteStream, mender: "Mender") -> None:
        self._pieces = pieces
        self._mender = mender

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces: AsyncIterable[bytes] = self._pieces
        async for piece in pieces:
            if mended := self._mender.feed(piece):
                yield mended
        if rest := self._mender.end():
            yield rest

    async def aclose(self) -> None:
        await self._pieces.aclose()


class Mender:
    """Feed it all bytes in order, then `end` it; both return what is to be read instead.

    `has_events`: JSON is the data of server-sent events; else each line is a document.
    """

    def __init__(self, tally: Tally, *, has_events: bool = True) -> None:
        self._tally = tally
        self._lines = Splitter()
        self._has_events = has_events
        self._held: list[bytes] = []  # Data of an event that goes on in the next line.
        self._size = 0  # Of it, in bytes.

    def feed(self, piece: bytes) -> bytes:
        return b"".join(line for whole in self._lines.feed(piece) for line in self._line(whole))

    def end(self) -> bytes:
        """Return what no end of a line, or of an event, followed: many readers take it."""
        rest = self._line(self._lines.rest.rstrip(b"\r")) if self._lines.rest else ()
        return b"".join([*rest, *self._event()])

    def _line(self, line: bytes) -> Iterator[bytes]:
        if not self._has_events:
            yield self._document(line) + b"\n"
        elif line == b"data" or line.startswith(b"data:"):
            yield from self._data(line[5:].removeprefix(b" "))
        else:
            if not line:
                yield from self._event()
            yield MISREAD.sub(b" ", line) + b"\n"

    def _document(self, line: bytes) -> bytes:
        return self._written(line, _value_of(line)) if line.strip() else line

    def _data(self, data: bytes) -> Iterator[bytes]:
        """Yield an event that is whole in one line; hold one that goes on."""
        if not self._held and data == DONE:
            yield b"data: [DONE]\n"
        elif not self._held and (value := _value_of(data)) is not BROKEN:
            yield _in_one_line(self._written(data, value))
        else:
            self._hold(data)

    def _hold(self, data: bytes) -> None:
        self._size += len(data) + 1
        if self._size > LONGEST:
            raise ValueError("an event of a stream is too long")
        self._held.append(data)

    def _event(self) -> Iterator[bytes]:
        if self._held:
            data = b"\n".join(self._held)
            self._held.clear()
            self._size = 0
            yield _in_one_line(self._written(data, _value_of(data)))

    def _written(self, data: bytes, value: Any) -> bytes:
        """Count what the JSON says, and return it so that nobody misreads it."""
        if value is BROKEN:
            self._tally.broken += 1
            return data
        self._tally.count(value)
        if not MISREAD.search(data):
            return data
        return json.dumps(value).replace("[DONE]", "[DONE\\u005d").encode()


BROKEN = object()
DECODER = json.JSONDecoder(strict=False)  # Made once: it costs as much as reading an event.


def _value_of(data: bytes) -> Any:
    """Return the JSON value, `BROKEN` if it is none. A control character in a text is one."""
    try:
        return DECODER.decode(data.decode(errors="replace"))
    except (ValueError, RecursionError):
        return BROKEN


def _in_one_line(data: bytes) -> bytes:
    return b"".join(b"data: %b\n" % line for line in data.split(b"\n"))

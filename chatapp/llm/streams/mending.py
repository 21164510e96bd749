"""Rewrite a provider's stream so that every library reads it correctly, and count its characters.

Libraries break lines at characters that are no line ends, such as U+2028, take `[DONE]` inside a
text for the end, and skip JSON that spans lines or contains raw control characters. Part of the
answer is then lost silently. So libraries get each event's JSON on one line, with such characters
escaped, which does not change its meaning.
"""

import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

import httpx

from chatapp.llm.streams.splitting import LONGEST, MARK, Splitter
from chatapp.llm.streams.tally import Tally

DONE = b"[DONE]"
MISREAD = re.compile(rb"[\x00-\x1f]|\xc2\x85|\xe2\x80[\xa8\xa9]|\[DONE\]")
EVENTS = "text/event-stream"
FIELDS = (b"data", b"event", b"id:", b"retry", b":")
TELLING = 5  # How many bytes of a body show whether it has events or documents.

_counted: ContextVar[Callable[[Tally], None] | None] = ContextVar("counted", default=None)


@contextmanager
def counted(note: Callable[[Tally], None]) -> Iterator[None]:
    """Within the block, call `note` with the tally of each answer to this task's requests."""
    token = _counted.set(note)
    try:
        yield
    finally:
        _counted.reset(token)


def mend(response: httpx.Response) -> None:
    """Arrange that a response is mended and counted while it is read."""
    note, pieces = _counted.get(), response.stream
    if note is None or not response.is_success or not isinstance(pieces, httpx.AsyncByteStream):
        return
    note(tally := Tally())
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    response.stream = _Mended(_plain(response), pieces, tally, is_events=media_type == EVENTS)


def _plain(response: httpx.Response) -> AsyncIterable[bytes]:
    """Decompress the bytes of a response as they come."""
    if response.headers.get("content-encoding", "identity").lower() == "identity":
        return cast("AsyncIterable[bytes]", response.stream)
    packed = httpx.Response(200, headers=response.headers, stream=response.stream)
    for name in ("content-encoding", "content-length"):
        response.headers.pop(name, None)
    return packed.aiter_bytes()


class _Mended(httpx.AsyncByteStream):
    """Mends a body of events, or of JSON documents on one line each; another body is unchanged."""

    def __init__(
        self,
        pieces: AsyncIterable[bytes],
        source: httpx.AsyncByteStream,
        tally: Tally,
        *,
        is_events: bool,
    ) -> None:
        self._pieces = pieces
        self._source = source
        self._tally = tally
        self._is_events = is_events

    async def __aiter__(self) -> AsyncIterator[bytes]:
        head, mender = b"", None
        async for piece in self._pieces:
            self._tally.come()
            if mender is not None:
                mended = mender.feed(piece)
            else:
                head += piece
                if len(head.lstrip()) < TELLING:
                    continue
                mender = self._mender(head)
                mended = mender.feed(head)
            if mended:
                yield mended
        if mender is None:
            mender = self._mender(head)
            yield mender.feed(head)
        self._tally.come()
        if rest := mender.end():
            yield rest

    def _mender(self, head: bytes) -> "Mender | Documents | _AsItIs":
        start = head.removeprefix(MARK).lstrip()
        if start.startswith(FIELDS):
            return Mender(self._tally)
        if start.startswith(b"{"):
            return Documents(self._tally, as_events=self._is_events)
        return _AsItIs()

    async def aclose(self) -> None:
        await self._source.aclose()


class _AsItIs:
    def feed(self, piece: bytes) -> bytes:
        return piece

    def end(self) -> bytes:
        return b""


class Mender:
    """Mends server-sent events. Feed it all bytes in order, then call `end`; both return mended
    bytes. Empty and unreadable events are left out.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._lines = Splitter()
        self._held: list[bytes] = []  # Data of an event that goes on in the next line.
        self._size = 0  # The size in bytes of the data that is held.

    def feed(self, piece: bytes) -> bytes:
        return b"".join(line for whole in self._lines.feed(piece) for line in self._line(whole))

    def end(self) -> bytes:
        """Return the mended rest. Streams may end without the last line end and blank line, because
        many readers accept that.
        """
        rest = self._line(self._lines.rest) if self._lines.rest else ()
        return b"".join([*rest, *self._event()])

    def _line(self, line: bytes) -> Iterator[bytes]:
        if line.startswith((b"data:", b"{")) or line == b"data":
            yield from self._data(line.removeprefix(b"data").removeprefix(b":").strip())
        elif line:
            yield MISREAD.sub(b" ", line) + b"\n"
        else:
            yield from self._event()
            yield b"\n"

    def _data(self, data: bytes) -> Iterator[bytes]:
        """Yield an event whose JSON ends on this line; hold one that goes on in the next line."""
        if self._held:
            self._hold(data)
        elif data == DONE:
            yield self._done()
        elif data and (event := _written(data, self._tally)):
            yield b"data: %b\n\n" % event
        elif data.startswith((b"{", b"[")):
            self._hold(data)
        elif data:
            self._tally.broken += 1

    def _done(self) -> bytes:
        self._tally.is_done = True
        return b"data: [DONE]\n\n"

    def _hold(self, data: bytes) -> None:
        self._size += len(data) + 1
        if self._size > LONGEST:
            raise ValueError("an event of a stream is too long")
        self._held.append(data)

    def _event(self) -> Iterator[bytes]:
        """Yield the held event, or several events if no blank lines separated them."""
        lines, self._held, self._size = self._held, [], 0
        if not lines:
            return
        if event := _written(b"\n".join(lines), self._tally):
            yield b"data: %b\n\n" % event
            return
        for data in lines:
            if data == DONE:
                yield self._done()
            elif event := _written(data, self._tally):
                yield b"data: %b\n\n" % event
            else:
                self._tally.broken += 1


class Documents:
    """Mends a body whose lines are JSON documents; other lines are unchanged."""

    def __init__(self, tally: Tally, *, as_events: bool = False) -> None:
        self._tally = tally
        self._lines = Splitter()
        self._form = b"data: %b\n\n" if as_events else b"%b\n"

    def feed(self, piece: bytes) -> bytes:
        return b"".join(map(self._line, self._lines.feed(piece)))

    def end(self) -> bytes:
        return self._line(self._lines.rest) if self._lines.rest else b""

    def _line(self, line: bytes) -> bytes:
        if not line.strip():
            return line + b"\n"
        return self._form % (_written(line, self._tally) or line)


# Made only once, because making it costs as much as reading an event.
DECODER = json.JSONDecoder(strict=False)


def _written(data: bytes, tally: Tally) -> bytes:
    """Count the characters of the JSON, and return it in a form that nobody misreads; empty if it
    is invalid.

    Control characters within texts are accepted, and invalid bytes are replaced.
    """
    try:
        value, is_text = DECODER.decode(data.decode()), True
    except UnicodeDecodeError:
        value, is_text = _replaced(data, tally), False
    except (ValueError, RecursionError):
        return b""
    if value is NOTHING:
        return b""
    tally.count(value)
    if is_text and not MISREAD.search(data):
        return data
    return json.dumps(value).replace("[DONE]", "[DONE\\u005d").encode()


NOTHING = object()


def _replaced(data: bytes, tally: Tally) -> Any:
    text = data.decode(errors="replace")
    try:
        value = DECODER.decode(text)
    except (ValueError, RecursionError):
        return NOTHING
    tally.replaced += text.count("\N{REPLACEMENT CHARACTER}")
    return value

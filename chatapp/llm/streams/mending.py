"""Mend a provider's stream, so that it is read correctly, and count its characters.

Libraries break lines at characters that are no line ends, such as U+2028, take `[DONE]` inside a
text for the end, and skip JSON that spans lines or contains raw control characters. Part of the
answer is then lost silently. So libraries get each event's JSON on one line, with such characters
escaped, which does not change its meaning. Our own reader gets the values that were counted.
"""

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias, TypeVar, cast

import httpx

from chatapp.llm.streams.menders import AsItIs, Documents, Event, Item, Mender, joined
from chatapp.llm.streams.splitting import MARK
from chatapp.llm.streams.tally import Tally

T = TypeVar("T")
MENDED = "mended"  # The extension of a response that is its mended stream.
EVENTS = "text/event-stream"
FIELDS = (b"data", b"event", b"id:", b"retry", b":")
TELLING = 5  # How many bytes of a body show whether it has events or documents.
Form: TypeAlias = Callable[[list[Item]], T]

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
    mended = _Mended(_plain(response), pieces, tally, is_events=media_type == EVENTS)
    response.stream = response.extensions[MENDED] = mended


def values_of(response: httpx.Response) -> AsyncGenerator[list[Any], None]:
    """Yield lists of the values of events that came together in a mended response."""
    mended: _Mended = response.extensions[MENDED]
    return mended.read(_values)


def _values(items: list[Item]) -> list[Any]:
    return [item.value for item in items if isinstance(item, Event)]


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
        async for piece in self.read(joined):
            yield piece

    async def read(self, form: Form[T]) -> AsyncGenerator[T, None]:
        """Yield what comes together, in this form, unless that is empty."""
        head, mender = b"", None
        async for piece in self._pieces:
            self._tally.come()
            if mender is not None:
                items = mender.feed(piece)
            else:
                head += piece
                if len(head.lstrip()) < TELLING:
                    continue
                mender = self._mender(head)
                items = mender.feed(head)
            if formed := form(items):
                yield formed
        if mender is None:
            mender = self._mender(head)
            if formed := form(mender.feed(head)):
                yield formed
        self._tally.come()
        if formed := form(mender.end()):
            yield formed

    def _mender(self, head: bytes) -> Mender | Documents | AsItIs:
        start = head.removeprefix(MARK).lstrip()
        if self._is_events or start.startswith(FIELDS):
            return Mender(self._tally)
        return Documents(self._tally) if start.startswith(b"{") else AsItIs()

    async def aclose(self) -> None:
        await self._source.aclose()

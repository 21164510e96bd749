"""Notice signs of life from a provider: any bytes that arrive.

A model may think for minutes without sending text. As long as anything arrives on its connection,
even comments and pings that the libraries swallow, Vitrine does not give up the request.
"""

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import httpx

_noted: ContextVar[Callable[[], None] | None] = ContextVar("noted", default=None)


@contextmanager
def watched(note: Callable[[], None]) -> Iterator[None]:
    """Within the block, call `note` whenever bytes of an answer to this task's requests arrive."""
    token = _noted.set(note)
    try:
        yield
    finally:
        _noted.reset(token)


def watch(response: httpx.Response) -> None:
    if (note := _noted.get()) and isinstance(response.stream, httpx.AsyncByteStream):
        response.stream = _Watched(response.stream, note)


class _Watched(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, note: Callable[[], None]) -> None:
        self._stream = stream
        self._note = note

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces: AsyncIterable[bytes] = self._stream
        async for piece in pieces:
            self._note()
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()

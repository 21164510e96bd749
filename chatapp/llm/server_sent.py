"""Read a stream in OpenAI's protocol: the JSON in its events, as they come.

The openai library makes objects of each event and checks every field of them. That costs as much as
all other work on a token, and `chatapp.llm.chunks` looks at few fields anyway.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import httpx

from chatapp.llm.streams.splitting import Splitter

DONE = b"[DONE]"
LINGERING_SECONDS = 0.05  # How long an answer may take to end after its last words.
TOO_LONG = re.compile(
    r"context.?length|context.?window|maximum model length|prompt is too long|available context",
    re.IGNORECASE,
)


class ErrorReported(Exception):
    """The provider reported that it failed, in the stream or, with a `response`, instead of one.

    `status_code` is None if it gave none. The provider's own words are not kept.
    """

    def __init__(self, error: Any = None) -> None:
        super().__init__()
        code = error.get("code") if isinstance(error, dict) else None
        self.status_code = code if isinstance(code, int) and 400 <= code < 600 else None
        self.response: httpx.Response | None = None


class TooLongReported(ErrorReported):
    """The provider reported that the request is longer than the model's context window."""


class _Done(Exception):
    """The provider said that its answer is complete."""


class Node(dict[str, Any]):
    """A JSON object whose keys are attributes, too; a missing key is None."""

    def __getattr__(self, name: str) -> Any:
        return self.get(name)


DECODER = json.JSONDecoder(object_hook=Node)


async def chunks_of(
    response: httpx.Response, read: Callable[[Any], Iterable[Any]] = lambda event: (event,)
) -> AsyncGenerator[list[Any], None]:
    """Yield lists of chunks that came together, until the provider says that it is done. `read`
    makes chunks of the JSON of an event.

    Raise `ErrorReported`, ValueError if an event is not JSON, or an exception of httpx.
    """
    pieces = response.aiter_bytes()
    try:
        async for events in _events(pieces):
            chunks, end = _parsed(events, read)
            if chunks:
                yield chunks
            if end:
                raise end
    except _Done:
        await _rest(pieces)
    finally:
        await response.aclose()


async def _rest(pieces: AsyncIterable[bytes]) -> None:
    """Read what little may follow, because only a connection whose answer was read to its end can
    carry the next request.
    """
    with suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(LINGERING_SECONDS):
            async for _piece in pieces:
                pass


def _parsed(
    events: list[bytes], read: Callable[[Any], Iterable[Any]]
) -> tuple[list[Any], Exception | None]:
    """Return the chunks of these events, and the exception that then ends the stream, or None."""
    chunks: list[Any] = []
    for event in events:
        try:
            chunks.extend(read(_chunk(event)))
        except (_Done, ErrorReported, ValueError, RecursionError) as end:
            return chunks, end
    return chunks, None


def _chunk(event: bytes) -> Any:
    if event == DONE:
        raise _Done
    chunk = DECODER.decode(event.decode())
    if isinstance(chunk, Node) and chunk.error:
        raise reported(chunk.error)
    return chunk


def reported(error: Any) -> ErrorReported:
    """Return the exception for an error that a stream reports."""
    kind = TooLongReported if TOO_LONG.search(json.dumps(error)) else ErrorReported
    return kind(error)


async def _events(pieces: AsyncIterable[bytes]) -> AsyncGenerator[list[bytes], None]:
    """Yield the data of the events that each piece completes; events without data are skipped."""
    lines = Splitter()
    data: list[bytes] = []
    async for piece in pieces:
        if events := list(_completed(lines.feed(piece), data)):
            yield events


def _completed(lines: list[bytes], data: list[bytes]) -> Iterator[bytes]:
    """Yield the data of each event that these lines complete.

    `data` keeps the lines of an event that is not complete yet.
    """
    for line in lines:
        field, _, value = line.partition(b":")
        if field == b"data":
            data.append(value.removeprefix(b" "))
        elif not field and not value and data:
            yield b"\n".join(data)
            data.clear()

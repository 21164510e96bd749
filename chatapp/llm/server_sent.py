"""Read a stream in OpenAI's protocol: the JSON in its events, as they come.

The openai library makes objects of each event and checks every field of them. That costs as much as
all other work on a token, and `chatapp.llm.chunks` looks at few fields anyway.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable
from contextlib import suppress
from typing import Any

import httpx

from chatapp.llm.streams.events import ErrorReported, Node, reported
from chatapp.llm.streams.menders import DONE
from chatapp.llm.streams.mending import values_of

LINGERING_SECONDS = 0.05  # How long an answer may take to end after its last words.


class _Done(Exception):
    """The provider said that its answer is complete."""


async def chunks_of(
    response: httpx.Response, read: Callable[[Any], Iterable[Any]] = lambda event: (event,)
) -> AsyncGenerator[list[Any], None]:
    """Yield lists of chunks that came together in a mended response, until the provider says that
    it is done. `read` makes chunks of the JSON of an event.

    Raise `ErrorReported`, ValueError if an event is too long, or an exception of httpx.
    """
    pieces = values_of(response)
    try:
        async for values in pieces:
            chunks, end = _chunks(values, read)
            if chunks:
                yield chunks
            if end:
                raise end
    except _Done:
        await _rest(pieces)
    finally:
        await response.aclose()


async def _rest(pieces: AsyncIterable[list[Any]]) -> None:
    """Read what little may follow, because only a connection whose answer was read to its end can
    carry the next request.
    """
    with suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(LINGERING_SECONDS):
            async for _values in pieces:
                pass


def _chunks(
    values: list[Any], read: Callable[[Any], Iterable[Any]]
) -> tuple[list[Any], Exception | None]:
    """Return the chunks of these events, and the exception that then ends the stream, or None."""
    chunks: list[Any] = []
    for value in values:
        if value is DONE:
            return chunks, _Done()
        if isinstance(value, Node) and value.error:
            return chunks, reported(value.error)
        try:
            chunks.extend(read(value))
        except (ErrorReported, ValueError, RecursionError) as error:
            return chunks, error
    return chunks, None

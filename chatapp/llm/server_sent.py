"""Read a stream of OpenAI's protocol: the JSON of its events, as it comes.

The openai library makes objects of every event and checks each of their fields. That costs as much
as all else that is done with a token, and `chatapp.llm.chunks` looks at few fields anyway.
"""

import json
import re
from collections.abc import AsyncGenerator, AsyncIterable, Iterator
from typing import Any

import httpx

from chatapp.llm.streams.splitting import Splitter

DONE = b"[DONE]"
TOO_LONG = re.compile(
    r"context.?length|context.?window|maximum model length|prompt is too long|available context",
    re.IGNORECASE,
)


class ErrorReported(Exception):
    """The provider's report in its stream that it failed, perhaps with an HTTP status.

    The provider's words are not kept.
    """

    def __init__(self, error: Any = None) -> None:
        super().__init__()
        code = error.get("code") if isinstance(error, dict) else None
        self.status_code = code if isinstance(code, int) and 400 <= code < 600 else None


class TooLongReported(ErrorReported):
    """The provider's report that the request is longer than the model's context window."""


class _Done(Exception):
    """The provider's sign that its answer is whole."""


class Node(dict[str, Any]):
    """A JSON object, whose keys are attributes, too; a missing one is None."""

    def __getattr__(self, name: str) -> Any:
        return self.get(name)


DECODER = json.JSONDecoder(object_hook=Node)


async def chunks_of(response: httpx.Response) -> AsyncGenerator[list[Any], None]:
    """Yield the chunks that came together, until the provider says that it is done.

    Raise `ErrorReported`, ValueError if an event is not JSON, or an exception of httpx.
    """
    try:
        async for events in _events(response.aiter_bytes()):
            chunks, end = _parsed(events)
            if chunks:
                yield chunks
            if end:
                raise end
    except _Done:
        pass
    finally:
        await response.aclose()


def _parsed(events: list[bytes]) -> tuple[list[Any], Exception | None]:
    """Return the chunks, and the exception that ends the stream after them, if any."""
    chunks: list[Any] = []
    for event in events:
        try:
            chunks.append(_chunk(event))
        except (_Done, ErrorReported, ValueError, RecursionError) as end:
            return chunks, end
    return chunks, None


def _chunk(event: bytes) -> Any:
    if event == DONE:
        raise _Done
    chunk = DECODER.decode(event.decode())
    if isinstance(chunk, Node) and chunk.error:
        raise _reported(chunk.error)
    return chunk


def _reported(error: Any) -> ErrorReported:
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

    `data` keeps the data lines of an event that is not complete yet.
    """
    for line in lines:
        field, _, value = line.partition(b":")
        if field == b"data":
            data.append(value.removeprefix(b" "))
        elif not field and not value and data:
            yield b"\n".join(data)
            data.clear()

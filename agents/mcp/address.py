"""A server at an address: streamable HTTP, with answers of limited length."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

from agents.mcp.child import LONGEST_MESSAGE
from agents.mcp.config import ServerConfig

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 660.0  # Above the longest timeout that a server may have.


class _Bounded(httpx2.AsyncByteStream):
    """A body that is cut off when it is too long, unless it is an event stream, which never
    ends.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        room = LONGEST_MESSAGE
        async for piece in self._inner:
            room -= len(piece)
            if room < 0:
                raise httpx2.ReadError(f"an answer longer than {LONGEST_MESSAGE:,} bytes")
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Transport(httpx2.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            response.stream = _Bounded(response.stream)
        return response


@asynccontextmanager
async def address(config: ServerConfig) -> AsyncGenerator[Any, None]:
    """Connect without the environment's proxy and password file; redirects stay on one origin."""
    timeout = httpx2.Timeout(CONNECT_SECONDS, read=SILENCE_SECONDS)
    client = httpx2.AsyncClient(
        headers=dict(config.headers), timeout=timeout, transport=_Transport(), trust_env=False
    )
    server = streamable_http_client(
        config.url, http_client=client, max_sse_event_size=LONGEST_MESSAGE
    )
    async with client, server as streams:
        yield streams

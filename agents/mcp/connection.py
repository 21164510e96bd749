"""A connection to a server, a child process or an address: open it, hear of changes, list its
tools.

The client library's contexts must be left by the task that entered them.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp_types import Tool, ToolListChangedNotification

from agents.mcp.child import LONGEST_MESSAGE, ChildEnding, ServerLog, child
from agents.mcp.config import ServerConfig
from history.core.words.wording import printable

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 660.0  # Above the longest timeout that a server may have.
MOST_PAGES = 100


class ConnectionLost(Exception):
    """The connection is over; the message says why."""


@asynccontextmanager
async def connected(
    config: ServerConfig, ending: ChildEnding, look: asyncio.Event
) -> AsyncGenerator[Client, None]:
    """Connect to a server. Set `look` whenever its tools may have changed or the child has
    ended.
    """

    async def heard(message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            look.set()

    async with Client(_streams(config, ending), message_handler=heard, cache=None) as client:
        listening = asyncio.Event()
        tasks = [
            asyncio.create_task(_hear_of_changes(client, listening, look)),
            asyncio.create_task(_hear_of_end(ending, look)),
        ]
        try:
            await listening.wait()
            yield client
        finally:
            await _cancelled(tasks)


def _streams(config: ServerConfig, ending: ChildEnding) -> AbstractAsyncContextManager[Any]:
    log = ServerLog(config.name, config.secrets)
    return child(config, log, ending) if config.command else address(config)


class _Bounded(httpx2.AsyncByteStream):
    """A response body that fails to read beyond the limit. Event streams, which never end, do not
    get this limit.
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
    """Connect to an address, without the environment's proxy and password file. Redirects must stay
    on the same origin.
    """
    timeout = httpx2.Timeout(CONNECT_SECONDS, read=SILENCE_SECONDS)
    client = httpx2.AsyncClient(
        headers=dict(config.headers), timeout=timeout, transport=_Transport(), trust_env=False
    )
    server = streamable_http_client(
        config.url, http_client=client, max_sse_event_size=LONGEST_MESSAGE
    )
    async with client, server as streams:
        yield streams


async def _hear_of_changes(client: Client, listening: asyncio.Event, look: asyncio.Event) -> None:
    """Ask to be told of changes: servers of the newest protocol don't tell unless asked."""
    try:
        async with client.listen(tools_list_changed=True) as changes:
            listening.set()
            async for _ in changes:
                look.set()
    except (ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
        pass  # Without notices, the list is read again at intervals.
    finally:
        listening.set()


async def _hear_of_end(ending: ChildEnding, look: asyncio.Event) -> None:
    await ending.wait()
    look.set()


async def _cancelled(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def tools_of(client: Client) -> AsyncIterator[Tool]:
    """Yield the tools. Raise `ConnectionLost` if the list has more than `MOST_PAGES` pages."""
    cursor = None
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            yield tool
        cursor = page.next_cursor
        if cursor is None:
            return
    raise ConnectionLost(f"its list of tools has more than {MOST_PAGES} pages")


def reason_of(error: BaseException) -> str:
    """Say why a connection failed, for people: without a stack trace, and with at most 200
    characters of the server's own words.
    """
    cause = _first(error)
    if isinstance(cause, TimeoutError):
        return "it took too long to answer"
    if isinstance(cause, FileNotFoundError | PermissionError):
        return f"its program can't be started ({cause.strerror})"
    return printable(str(cause).rstrip(".") or type(cause).__name__, 200)


def _first(error: BaseException) -> BaseException:
    """Return the original error, which task groups may have wrapped."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error

"""One connection to a server: opened, listened to, and asked for its tools.

The client library's contexts must be left by the task that entered them.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from mcp import Client, MCPError
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp_types import Tool, ToolListChangedNotification

from agents.mcp.address import address
from agents.mcp.child import Ending, ServerLog, child
from agents.mcp.config import ServerConfig
from history.core.wording import printable

MOST_PAGES = 100


class Lost(Exception):
    """The connection is over; the message says why."""


@asynccontextmanager
async def connected(
    config: ServerConfig, ending: Ending, look: asyncio.Event
) -> AsyncGenerator[Client, None]:
    """From here on nothing is missed: `look` is set when the list may have changed, or a child is
    gone.
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


def _streams(config: ServerConfig, ending: Ending) -> AbstractAsyncContextManager[Any]:
    log = ServerLog(config.name, config.secrets)
    return child(config, log, ending) if config.command else address(config)


async def _hear_of_changes(client: Client, listening: asyncio.Event, look: asyncio.Event) -> None:
    """Servers of the newest protocol tell only those who ask to be told."""
    try:
        async with client.listen(tools_list_changed=True) as changes:
            listening.set()
            async for _ in changes:
                look.set()
    except (ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
        pass  # Then the list is read again from time to time.
    finally:
        listening.set()


async def _hear_of_end(ending: Ending, look: asyncio.Event) -> None:
    await ending.wait()
    look.set()


async def _cancelled(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def tools_of(client: Client) -> AsyncIterator[Tool]:
    """Raises `Lost` where the list does not end."""
    cursor = None
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            yield tool
        cursor = page.next_cursor
        if cursor is None:
            return
    raise Lost(f"its list of tools has more than {MOST_PAGES} pages")


def reason_of(error: BaseException) -> str:
    """Why a connection failed, in words that may be shown to anybody: without a stack, and without
    more of the other side's words than fit a sentence.
    """
    cause = _first(error)
    if isinstance(cause, TimeoutError):
        return "it took too long to answer"
    if isinstance(cause, FileNotFoundError | PermissionError):
        return f"its program cannot be started ({cause.strerror})"
    return printable(str(cause).rstrip(".") or type(cause).__name__, 200)


def _first(error: BaseException) -> BaseException:
    """The innermost of groups, which task groups wrap around a single error."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error

"""This process's sessions with MCP servers: one for each enabled server.

What a server offers is stored. Turns read it from the database and wait for no session; only a call
of the server's tool does.
"""

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from django.utils import timezone

from agents.mcp import OfferedTool
from agents.mcp.config import ConfigRefused, ServerConfig, config_of
from agents.mcp.models import McpServer, SessionState
from agents.tools import ToolResult, refused
from chatapp import env
from chatapp.databases.threads import in_database
from chatapp.live.bus import bus

if TYPE_CHECKING:
    from agents.mcp.session import Session, SessionReport

logger = logging.getLogger(__name__)

LOOK_SECONDS = 5  # The pause between two looks at what the administrator has changed.
END_SECONDS = 6.0

_sessions: "dict[str, tuple[Session, asyncio.Task[None]]]" = {}
_tasks: set[asyncio.Task[None]] = set()  # Includes sessions that are ending.
_keeper: asyncio.Task[None] | None = None
_looked = asyncio.Event()  # Set once the configurations have been read.
_looked.set()  # Without `startup` there is nothing to wait for.
_wanted = asyncio.Event()  # Set by a caller that can't wait for the next check.


async def startup() -> None:
    """Begin to keep sessions, and forget the states that an earlier process stored."""
    global _keeper, _looked, _wanted  # noqa: PLW0603 -- the process has one of each
    await in_database(_forget_states)
    _looked, _wanted = asyncio.Event(), asyncio.Event()
    _keeper = asyncio.create_task(_keep(), name="mcp")


async def shutdown() -> None:
    if _keeper is not None:
        _keeper.cancel()
        await asyncio.wait([_keeper])
    await _end(list(_sessions))
    await _ended(set(_tasks))


async def call(tool: OfferedTool, arguments: str) -> ToolResult:
    """Call a tool; `arguments` is the text that a model wrote. A failed call has a result, too."""
    if tool.server not in _sessions:
        await _begun(tool.server)
    if tool.server not in _sessions:
        return refused(f"the MCP server {tool.server} is disabled or not running.")
    session, _ = _sessions[tool.server]
    return await session.call(tool.remote, arguments)


async def _begun(slug: str) -> None:
    """Wait for a server's session, which does not exist yet in the first seconds of a process, or
    if another process was the first to see the administrator's change.
    """
    if bus.is_used and _keeper is not None:
        _looked.clear()
        _wanted.set()
    if _looked.is_set():
        return
    seconds = await in_database(_timeout_of, slug)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await _looked.wait()


async def _keep() -> None:
    """Keep a session for each server as it is configured now."""
    while True:
        try:
            await _adjust(await in_database(enabled_servers))
        except Exception:
            logger.exception("The MCP servers could not be looked after")
        _looked.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(_wanted.wait(), LOOK_SECONDS)
        _wanted.clear()


async def _adjust(configs: dict[str, ServerConfig]) -> None:
    await _end([s for s, (session, _) in _sessions.items() if configs.get(s) != session.config])
    for slug, config in configs.items():
        if slug not in _sessions:
            await _begin(config)


async def _begin(config: ServerConfig) -> None:
    library = await asyncio.to_thread(_library)
    session = library(config, partial(_store, config.slug))
    task = asyncio.create_task(session.run(), name=f"mcp {config.slug}")
    _sessions[config.slug] = session, task
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def _end(slugs: list[str]) -> None:
    """End sessions, without waiting for one that is still connecting."""
    ended = [_sessions.pop(slug) for slug in slugs]
    for session, task in ended:
        session.stop()
        if not session.is_connected:
            task.cancel()
    await _ended({task for _, task in ended})


async def _ended(tasks: set[asyncio.Task[None]]) -> None:
    """Give the programs of sessions that are ending some time before they are killed."""
    if not tasks:
        return
    _, hanging = await asyncio.wait(tasks, timeout=END_SECONDS)
    for task in hanging:
        task.cancel()
    if hanging:
        await asyncio.wait(hanging, timeout=END_SECONDS)


def _library() -> "type[Session]":
    """Import the client library, in a thread because it takes a second."""
    from agents.mcp.session import Session  # noqa: PLC0415

    return Session


def enabled_servers() -> dict[str, ServerConfig]:
    """Return the configurations of enabled servers; if one is unusable, store the reason."""
    environment, configs = env.variables(), {}
    for server in McpServer.objects.filter(enabled=True).defer("listing"):
        try:
            configs[server.slug] = config_of(server, environment)
        except ConfigRefused as error:
            _write(server.slug, state=SessionState.FAILED, said=str(error))
    return configs


async def _store(slug: str, report: "SessionReport") -> None:
    values = {"state": report.state, "said": report.said}
    if report.listing is None:
        return await in_database(_write, slug, **values)
    listing = {"tools": report.listing.tools, "notes": report.listing.notes}
    await in_database(_write, slug, **values, listing=listing, answered=timezone.now())


def _write(slug: str, **values: object) -> None:
    McpServer.objects.filter(slug=slug).update(**values)


def _timeout_of(slug: str) -> int:
    return McpServer.objects.filter(slug=slug).values_list("timeout", flat=True).first() or 0


def _forget_states() -> None:
    McpServer.objects.update(state=SessionState.WAITING, said="")

"""A long-lived session with a server, opened, watched and closed by one task.

The client library's contexts must be left by the task that entered them. So all other tasks only
call tools, and set an event when the session must look for changes.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

from mcp import Client, MCPError
from mcp_types import CONNECTION_CLOSED

from agents.mcp.calls import arguments_of, result_of
from agents.mcp.child import ChildEnding
from agents.mcp.config import ServerConfig
from agents.mcp.connection import ConnectionLost, connected, reason_of, tools_of
from agents.mcp.listing import Listing, listing
from agents.mcp.models import SessionState
from agents.tools import ToolResult, refused
from agents.tools.arguments import ArgumentsRefused
from history.core.words.wording import printable

logger = logging.getLogger(__name__)

CONNECT_SECONDS = 20.0  # Enough to start a server, greet it and read its list.
LIST_SECONDS = 10.0
REFRESH_SECONDS = 180.0
PAUSES = (1.0, 2.0, 5.0, 15.0, 60.0)  # Seconds between attempts; the last one repeats.
LASTING_SECONDS = 60.0
SETTLE_SECONDS = 0.2  # A server that changes its list rapidly is read once.


@dataclass(frozen=True, slots=True)
class SessionReport:
    """A session's state, which it reports again and again. `listing` is None if nothing new was
    read.
    """

    state: SessionState
    said: str = ""
    listing: Listing | None = None


@dataclass(slots=True)
class Session:
    """A session with a server: `run` it in a task of its own, `stop` it, and `call` its tools from
    the same event loop.
    """

    config: ServerConfig
    report: Callable[[SessionReport], Awaitable[None]]
    state: SessionState = SessionState.WAITING
    _client: Client | None = None
    _why: str = "it has not answered yet"
    _failures: int = 0
    _settled: asyncio.Event = field(default_factory=asyncio.Event)  # Connected, or failed to.
    _look: asyncio.Event = field(default_factory=asyncio.Event)  # Set when `_watch` must look.
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_connected(self) -> bool:
        return self._client is not None

    def stop(self) -> None:
        self._stopping.set()
        self._look.set()

    async def run(self) -> None:
        """Keep connecting until the session is stopped. Report failures, and never raise."""
        clock = asyncio.get_running_loop().time
        while not self._stopping.is_set():
            began = clock()
            self._why = await self._connection()
            if not self._stopping.is_set():
                await self._tell(SessionState.FAILED, self._why)
                self._settled.set()
                await self._pause(lasted=clock() - began)

    async def _pause(self, lasted: float) -> None:
        """Wait longer after each failure; a connection that lasted resets the pauses."""
        self._failures = 0 if lasted > LASTING_SECONDS else self._failures + 1
        seconds = PAUSES[min(self._failures, len(PAUSES) - 1)]
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()

    async def _connection(self) -> str:
        """Run one connection from start to end, and return why it ended."""
        ending = ChildEnding()
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(CONNECT_SECONDS):
                    opening = connected(self.config, ending, self._look)
                    client = await stack.enter_async_context(opening)
                    await self._read_list(client)
                self._client = client
                self._settled.set()
                await self._watch(client, ending)
        except Exception as error:
            return ending.reason or reason_of(error)
        finally:
            self._client = None
            self._settled.clear()
        return "it was stopped"

    async def _watch(self, client: Client, ending: ChildEnding) -> None:
        """Watch until stopped. Raise if the server is gone, or does not answer any more."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(REFRESH_SECONDS):
                    await self._look.wait()
            self._look.clear()  # Cleared first, so that later changes set it again.
            if self._stopping.is_set():
                return
            await asyncio.sleep(SETTLE_SECONDS)
            if ending.reason:
                raise ConnectionLost(ending.reason)
            async with asyncio.timeout(LIST_SECONDS):
                await self._read_list(client)

    async def _read_list(self, client: Client) -> None:
        tools = [tool async for tool in tools_of(client)]
        server_listing = listing(self.config.slug, tools, self.config.only)
        await self._tell(SessionState.READY, listed=server_listing)

    async def _tell(
        self, state: SessionState, reason: str = "", listed: Listing | None = None
    ) -> None:
        if state != self.state:
            logger.log(
                logging.INFO if state == SessionState.READY else logging.WARNING,
                "MCP server %s: %s",
                self.config.name,
                f"{state.label}{': ' if reason else ''}{reason}",
            )
        self.state = state
        try:
            await self.report(SessionReport(state, reason, listed))
        except Exception:
            logger.exception("The state of MCP server %s could not be saved", self.config.name)

    async def call(self, tool: str, arguments: str) -> ToolResult:
        """Call a tool. Raise nothing but `CancelledError`: a failure is a result that says so."""
        try:
            values = arguments_of(arguments)
        except ArgumentsRefused as error:
            return refused(str(error))
        try:
            async with asyncio.timeout(self.config.timeout):
                return await self._answer(tool, values)
        except TimeoutError:
            self._look.set()
            seconds = f"{self.config.timeout:g} seconds"
            return refused(f"the MCP server {self.config.name} took longer than {seconds}.")
        except MCPError as error:
            return self._refusal(error)
        except ConnectionLost as error:
            return refused(f"the MCP server {self.config.name} is unavailable: {error}.")
        except Exception:
            logger.exception("A call of MCP server %s failed", self.config.name)
            self._look.set()
            return refused(f"the MCP server {self.config.name} returned an invalid response.")

    async def _answer(self, tool: str, values: dict[str, Any]) -> ToolResult:
        if self.state == SessionState.WAITING:
            await self._settled.wait()
        if self._client is None:
            raise ConnectionLost(self._why)
        answer = await self._client.call_tool(tool, values)
        return result_of(answer, self.config.result_limit)

    def _refusal(self, error: MCPError) -> ToolResult:
        """Return the server's own refusal, or one that says that the server disconnected."""
        if error.code != CONNECTION_CLOSED:
            return refused(f"the MCP server says: {printable(error.message, 500)}")
        self._look.set()
        return refused(
            f"the MCP server {self.config.name} disconnected before it answered. "
            "It is being reconnected."
        )


async def try_connection(config: ServerConfig) -> SessionReport:
    """Try one connection: return a listing, or why there is none."""
    first: asyncio.Future[SessionReport] = asyncio.get_running_loop().create_future()

    async def keep(report: SessionReport) -> None:
        if not first.done():
            first.set_result(report)

    session = Session(config, keep)
    running = asyncio.create_task(session.run())
    try:
        return await first
    finally:
        session.stop()
        await running

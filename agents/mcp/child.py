"""A server as a child process: JSON-RPC, one message a line, on its standard input and output.

The client library has such a transport, too. Ours also limits the length of a line, passes on no
environment by default, and reads the child's error output.
"""

import logging
import os
import signal
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

import anyio
import mcp_types
from anyio.abc import ByteReceiveStream, ByteSendStream, Process
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from agents.mcp.config import ServerConfig
from history.core.words.wording import printable

logger = logging.getLogger(__name__)

LONGEST_MESSAGE = 8_000_000  # The longest message, in bytes.
LONGEST_LOGGED = 4_000
MOST_LINES = 200  # The most lines in the log for one connection.
LONGEST_LINE = 500
SHORTEST_SECRET = 6  # Shorter secrets would blank out too much of the log.
PATIENCE = 1.0  # Seconds to wait after each step of ending a child.

Received: TypeAlias = SessionMessage | Exception
Streams: TypeAlias = tuple[
    MemoryObjectReceiveStream[Received], MemoryObjectSendStream[SessionMessage]
]
GONE = (
    anyio.EndOfStream,
    anyio.IncompleteRead,
    anyio.ClosedResourceError,
    anyio.BrokenResourceError,
    OSError,
)


class ServerLog:
    """Writes to our log what a server says outside the protocol: limited, and without secrets."""

    def __init__(self, name: str, secrets: Sequence[str] = ()) -> None:
        self._name = name
        self._secrets = [secret for secret in secrets if len(secret) >= SHORTEST_SECRET]
        self._left = MOST_LINES

    def line(self, text: str) -> None:
        """Log a line, unless the connection has used up its lines."""
        if not self._left or not text.strip():
            return
        self._left -= 1
        for secret in self._secrets:
            text = text.replace(secret, "(secret)")
        logger.info("MCP server %s: %s", self._name, printable(text.rstrip(), LONGEST_LINE))
        if not self._left:
            logger.info("MCP server %s: further lines are not logged", self._name)


class ChildEnding:
    """Tells that the child's output has ended. `reason` says why, unless we ended it."""

    def __init__(self) -> None:
        self.reason = ""
        self.is_ours = False
        self._event = anyio.Event()

    def tell(self, reason: str) -> None:
        self.reason = "" if self.is_ours else reason
        self._event.set()

    async def wait(self) -> None:
        await self._event.wait()


@asynccontextmanager
async def child(
    config: ServerConfig, log: ServerLog, ending: ChildEnding
) -> AsyncGenerator[Streams, None]:
    """Start a child, and end it with all its own children.

    Raise OSError if it cannot be started.
    """
    process = await anyio.open_process(
        list(config.command), env=dict(config.environment), start_new_session=True
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    incoming, received = anyio.create_memory_object_stream[Received](0)
    to_send, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    silent = anyio.Event()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_read, process.stdout, incoming, log, ending)
        tasks.start_soon(_write, process.stdin, outgoing)
        tasks.start_soon(_listen, process.stderr, log, silent)
        try:
            yield received, to_send
        finally:
            ending.is_ours = True
            with anyio.CancelScope(shield=True):
                received.close()
                await _end(process)
                with anyio.move_on_after(PATIENCE):  # The pipes close once the child has ended.
                    await ending.wait()
                    await silent.wait()
            tasks.cancel_scope.cancel()


async def _read(
    output: ByteReceiveStream,
    incoming: MemoryObjectSendStream[Received],
    log: ServerLog,
    ending: ChildEnding,
) -> None:
    """Read until the child closes its output. After an overlong line, discard the rest."""
    lines = BufferedByteReceiveStream(output)
    reason = "its program ended"
    with suppress(*GONE):
        async with incoming:
            try:
                while True:
                    line = await lines.receive_until(b"\n", LONGEST_MESSAGE)
                    if message := _message(line, log):
                        await incoming.send(message)
            except anyio.DelimiterNotFound:
                reason = f"it sent a message longer than {LONGEST_MESSAGE:,} bytes"
    ending.tell(reason)
    with suppress(*GONE):
        while True:
            await output.receive()


def _message(line: bytes, log: ServerLog) -> SessionMessage | None:
    """Parse a line; None if the line is no message: some programs print a greeting."""
    try:
        message = mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        log.line(f"[not a message] {line[:LONGEST_LOGGED].decode(errors='replace')}")
        return None
    return SessionMessage(message)


async def _write(
    stdin: ByteSendStream, outgoing: MemoryObjectReceiveStream[SessionMessage]
) -> None:
    with suppress(*GONE):
        async with outgoing:
            async for message in outgoing:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                await stdin.send(text.encode() + b"\n")


async def _listen(stderr: ByteReceiveStream, log: ServerLog, silent: anyio.Event) -> None:
    """Log the child's error output to its end: a child hangs if nobody reads that."""
    lines = BufferedByteReceiveStream(stderr)
    with suppress(*GONE):
        while line := await _line(lines):
            log.line(line.decode(errors="replace"))
    silent.set()


async def _line(lines: BufferedByteReceiveStream) -> bytes:
    """Return a line, cut at the log's limit; empty at the end."""
    try:
        return await lines.receive_until(b"\n", LONGEST_LOGGED) + b"\n"
    except anyio.DelimiterNotFound:
        return await lines.receive(LONGEST_LOGGED)
    except anyio.IncompleteRead:
        return lines.buffer


async def _end(process: Process) -> None:
    """End the child as the protocol says: close stdin, wait, SIGTERM, wait, SIGKILL.

    The signals go to its whole process group.
    """
    if process.stdin:
        with suppress(*GONE):
            await process.stdin.aclose()
    if not await _ends(process):
        _signal(process, signal.SIGTERM)
        await _ends(process)
    _signal(process, signal.SIGKILL)
    await _ends(process)


async def _ends(process: Process) -> bool:
    """Whether the process ends within `PATIENCE`, with all children that inherited its output."""
    with anyio.move_on_after(PATIENCE) as waiting:
        await process.wait()
    return not waiting.cancelled_caught


def _signal(process: Process, number: signal.Signals) -> None:
    """Signal the child's process group, which may outlive the child or be gone already."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)

"""A TCP proxy that is as bad as a network can be: it cuts, resets, freezes,
swallows, delays and throttles.

It runs in a thread of its own, so that the test goes on in another one:

    with Proxy([server_port], seed=7) as proxy:
        connect_to(proxy.port)
        proxy.manner = Manner(piece=1, delay=0.01)  # Every byte by itself.
        proxy.reset(1)                              # One connection, chosen by the seed.
"""

import asyncio
import math
import random
import socket
import struct
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Self, TypeVar

from tests.patience import PATIENCE

T = TypeVar("T")
MOST = 65_536  # The most bytes of one read.
AT_ONCE = struct.pack("ii", 1, 0)  # Closes with a reset, without waiting.


@dataclass(frozen=True)
class Manner:
    """How bytes travel, in both directions; by default unchanged."""

    delay: float = 0.0  # Seconds to wait before each piece.
    piece: int = MOST  # The most bytes that travel together.
    rate: float = math.inf  # Bytes per second.

    def pieces(self, data: bytes) -> Iterator[tuple[bytes, float]]:
        """Yield each piece with the seconds to wait before it."""
        for start in range(0, len(data), self.piece):
            piece = data[start : start + self.piece]
            yield piece, self.delay + len(piece) / self.rate


class Link:
    """One connection through the proxy, from the client (near) to the server (far)."""

    def __init__(self, proxy: "Proxy", *sides: tuple[asyncio.StreamReader, asyncio.StreamWriter]):
        self._proxy = proxy
        self._near, self._far = sides
        self.swallows = False

    async def carry(self) -> None:
        """Carry bytes until both sides have ended, or one of them breaks."""
        ways = [(self._near[0], self._far[1]), (self._far[0], self._near[1])]
        try:
            async with asyncio.TaskGroup() as group:
                for reader, writer in ways:
                    group.create_task(self._carry_one_way(reader, writer))
        except* OSError:
            pass
        finally:
            self.close()

    async def _carry_one_way(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while data := await reader.read(MOST):
            for piece, seconds in self._proxy.manner.pieces(data):
                if seconds:
                    await asyncio.sleep(seconds)
                await self._proxy.flowing.wait()
                if self.swallows:
                    continue
                writer.write(piece)
                await writer.drain()
        with suppress(OSError):
            writer.write_eof()

    def close(self) -> None:
        """Close the connection normally."""
        for _, writer in (self._near, self._far):
            writer.close()

    def reset(self) -> None:
        """Break the connection: both sides get a reset, and bytes under way are lost."""
        for _, writer in (self._near, self._far):
            connection: socket.socket = writer.get_extra_info("socket")
            with suppress(OSError):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            writer.transport.abort()


class Proxy:
    """A proxy before servers on loopback; for each connection, chance picks the server."""

    def __init__(self, targets: Sequence[int], seed: object = 0) -> None:
        self.manner = Manner()
        self.broken = 0  # The connections cut or reset so far.
        self._targets = targets
        self._chance = random.Random(str(seed))
        self._links: set[Link] = set()
        self._carrying: set[asyncio.Future[None]] = set()
        self._began, self._thread = threading.Event(), threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        self._began.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join()

    @property
    def links(self) -> int:
        """The number of open connections."""
        return len(self._links)

    def cut(self, most: int = MOST) -> int:
        """Close at most this many connections; return their number."""
        return self._break(Link.close, most)

    def reset(self, most: int = MOST) -> int:
        return self._break(Link.reset, most)

    def swallow(self) -> None:
        """Lose all further bytes on the present connections, without telling either side."""

        def swallowing() -> None:
            for link in self._links:
                link.swallows = True

        self._do(swallowing)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Hold back all bytes during the block, without telling either side."""
        self._do(self.flowing.clear)
        try:
            yield
        finally:
            self._do(self.flowing.set)

    @contextmanager
    def behaving(self, manner: Manner) -> Iterator[None]:
        self.manner = manner
        try:
            yield
        finally:
            self.manner = Manner()

    def _break(self, how: Callable[[Link], None], most: int) -> int:
        def chosen() -> int:
            links = sorted(self._links, key=id)
            for link in (found := self._chance.sample(links, min(most, len(links)))):
                self._links.discard(link)
                how(link)
            self.broken += len(found)
            return len(found)

        return self._do(chosen)

    def _do(self, function: Callable[[], T]) -> T:
        """Call a function in the proxy's event loop, and return its result."""

        async def call() -> T:
            return function()

        return asyncio.run_coroutine_threadsafe(call(), self._loop).result(PATIENCE)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._ending = asyncio.get_running_loop(), asyncio.Event()
        self.flowing = asyncio.Event()
        self.flowing.set()
        server = await asyncio.start_server(self._meet, "127.0.0.1", 0, backlog=200)
        self.port: int = server.sockets[0].getsockname()[1]
        self._began.set()
        async with server:
            await self._ending.wait()
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one client's connection until it closes or the proxy stops."""
        task = asyncio.ensure_future(self._carry(reader, writer))
        self._carrying.add(task)
        task.add_done_callback(self._carrying.discard)
        await asyncio.wait([task])

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far = await self._called()
        except OSError:
            writer.close()
            return
        link = Link(self, (reader, writer), far)
        self._links.add(link)
        try:
            await link.carry()
        except asyncio.CancelledError:
            link.reset()
        finally:
            self._links.discard(link)

    def _called(self) -> Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        return asyncio.open_connection("127.0.0.1", self._chance.choice(self._targets))

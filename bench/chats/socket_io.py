"""A client of Socket.IO, the protocol of the peers' pages, as far as they use it."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

PATH = "/ws/socket.io/?EIO=4&transport=websocket"
PING, PONG, CONNECT, EVENT = "2", "3", "40", "42"


class SocketIO:
    """A connection to a server; `sid` is the server's name for it. It answers pings even while
    nobody asks what it received.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.sid = ""
        self._packets: asyncio.Queue[str | None] = asyncio.Queue()  # None: the socket ended.

    async def read(self) -> None:
        with suppress(ConnectionClosed):
            async for packet in self.socket:
                if packet == PING:
                    await self.socket.send(PONG)
                elif isinstance(packet, str):
                    self._packets.put_nowait(packet)
        self._packets.put_nowait(None)

    async def open(self, auth: Mapping[str, Any]) -> None:
        await self.socket.send(CONNECT + json.dumps(auth))
        while packet := await self._packets.get():
            if packet.startswith(CONNECT):
                self.sid = json.loads(packet.removeprefix(CONNECT))["sid"]
                return
        raise AssertionError("the server refused the connection")

    async def emit(self, name: str, *data: object) -> None:
        await self.socket.send(EVENT + json.dumps([name, *data]))

    async def received(self) -> AsyncIterator[tuple[str, Any]]:
        """Yield the name of each event as it comes, and what it says."""
        while packet := await self._packets.get():
            if packet.startswith(EVENT):
                name, *data = json.loads(packet.removeprefix(EVENT))
                yield name, data[0] if data else None


@asynccontextmanager
async def socket_io(address: str, auth: Mapping[str, Any]) -> AsyncIterator[SocketIO]:
    async with connect(
        f"ws://{address}{PATH}",
        max_size=None,
        open_timeout=60,
        ping_interval=None,
        compression=None,
    ) as socket:
        connection = SocketIO(socket)
        reading = asyncio.create_task(connection.read())
        try:
            await connection.open(auth)
            yield connection
        finally:
            reading.cancel()

"""Chainlit, without a data layer: it stores nothing."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from bench.chats.peer import Peer
from bench.chats.socket_io import SocketIO, socket_io
from bench.streams import Person, Stream
from tests.servers import ROOT

APP = Path(__file__).with_name("chainlit_app.py")


class Tab:
    def __init__(self, socket: SocketIO) -> None:
        self.socket = socket

    async def open(self) -> None:
        await self.socket.emit("connection_successful")
        async for name, _ in self.socket.received():
            if name == "clear_call_fn":
                return

    async def ask(self, text: str) -> Stream:
        message = {
            "id": str(uuid.uuid4()),
            "name": "user",
            "type": "user_message",
            "output": text,
            "createdAt": datetime.now(UTC).isoformat(),
        }
        seen = Stream()
        await self.socket.emit("client_message", {"message": message, "fileReferences": []})
        async for name, told in self.socket.received():
            if name == "task_end":
                return seen
            if name == "stream_start":
                seen.receive(told["output"])
            elif name == "stream_token":
                seen.receive(told["token"])
        raise AssertionError("the socket ended")


class Chainlit(Peer):
    name = "Chainlit"
    package = "chainlit"
    variable = "CHAINLIT"
    usual = ROOT / ".venv" / "chainlit" / "bin" / "python"

    def arguments(self) -> list[str]:
        # A copy, so that Chainlit's search path does not get this folder and its chainlit.py.
        app = self.folder / "app.py"
        app.write_text(APP.read_text())
        where = ["--host", "127.0.0.1", "--port", str(self.port)]
        return ["-m", "chainlit", "run", str(app), "--headless", *where]

    def variables(self) -> dict[str, str]:
        return {
            "CHAINLIT_APP_ROOT": str(self.folder),
            "OPENAI_BASE_URL": self.provider,
            "OPENAI_API_KEY": "none",
        }

    @asynccontextmanager
    async def person(self) -> AsyncIterator[Person]:
        auth = {"sessionId": str(uuid.uuid4()), "clientType": "webapp", "userEnv": "{}"}
        async with socket_io(self.address, auth) as socket:
            tab = Tab(socket)
            await tab.open()
            yield tab

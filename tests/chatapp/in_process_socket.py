"""A socket in the tests' own process: it gives frames to the app as a server does."""

import asyncio
import json
from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from chatapp.socket.consumer import ChatConsumer
from tests.patience import PATIENCE

Frame = dict[str, Any]


class InProcessSocket:
    """A server's side of a socket. While the event `free` is unset, the client accepts nothing."""

    def __init__(self, session: SessionBase | None, query: str = "") -> None:
        key = session.session_key if session else "made-up"
        cookie = f"sessionid={key}".encode()
        self.scope = {
            "type": "websocket",
            "path": "/ws/",
            "query_string": query.encode(),
            "headers": [(b"cookie", cookie)],
        }
        self.came: asyncio.Queue[Frame] = asyncio.Queue()
        self.sent: asyncio.Queue[Frame] = asyncio.Queue()
        self.free = asyncio.Event()
        self.free.set()
        self.came.put_nowait({"type": "websocket.connect"})

    async def send(self, message: Frame) -> None:
        await self.free.wait()
        self.sent.put_nowait(message)
        if message["type"] == "websocket.close":
            self.leave()

    def run(self) -> asyncio.Task[None]:
        app: Any = ChatConsumer.as_asgi()
        return asyncio.create_task(app(self.scope, self.came.get, self.send))

    def say(self, **frame: Any) -> None:
        self.came.put_nowait({"type": "websocket.receive", "text": json.dumps(frame)})

    async def shown(self) -> list[Frame]:
        """Return every frame sent so far, or the frame that closes the socket."""
        self.say(type="ping")
        frames: list[Frame] = []
        while not frames or frames[-1]["type"] not in {"pong", "websocket.close"}:
            message = await asyncio.wait_for(self.sent.get(), PATIENCE)
            frames.append(json.loads(message["text"]) if "text" in message else message)
        return frames[:-1] if frames[-1]["type"] == "pong" else frames

    def leave(self) -> None:
        self.came.put_nowait({"type": "websocket.disconnect", "code": 1001})

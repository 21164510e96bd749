"""Call the ASGI application in this process as a server does, without Django's test client."""

import asyncio
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlencode

from asgiref.sync import async_to_sync

from chatapp.asgi import application

PIECE = 65_536


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes
    taken: int  # How many bytes of the body the application read.


class Exchange:
    """The client's side of one request; the client stays connected until the answer is complete."""

    def __init__(self, size: int, byte: bytes) -> None:
        self.left = size
        self.byte = byte
        self.is_over = False
        self.taken = 0
        self.said: list = []

    async def receive(self):
        if self.is_over:
            await asyncio.Event().wait()
        size = min(PIECE, self.left)
        self.left -= size
        self.taken += size
        self.is_over = not self.left
        return {"type": "http.request", "body": self.byte * size, "more_body": not self.is_over}

    async def send(self, message):
        self.said.append(message)


def ask(
    method: str,
    address: str,
    *,
    size: int = 0,
    query: dict | None = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    """Send a request with a body of `size` bytes, all of them spaces."""
    sent = {"Host": "localhost", "Content-Type": "text/plain", **(headers or {})}
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method.upper(),
        "path": unquote(address, errors="surrogateescape"),
        "raw_path": address.encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": urlencode(query or {}).encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    exchange = Exchange(size, b" ")
    async_to_sync(application)(scope, exchange.receive, exchange.send)
    start, *bodies = exchange.said
    told = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    body = b"".join(message.get("body", b"") for message in bodies)
    return Answer(start["status"], told, body, exchange.taken)

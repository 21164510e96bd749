"""A person at a browser, without a browser: cookies, pages, and the socket of one tab."""

import json
import re
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import httpx
from websockets import ClientProtocol, Origin
from websockets.sync.client import ClientConnection, connect
from websockets.uri import parse_uri

from tests.patience import PATIENCE
from tests.servers import AppServer


class Tab:
    """A tab's socket. `next` reads one frame after the other; `seen` keeps all that were read."""

    def __init__(self, connection: ClientConnection) -> None:
        self.socket = connection
        self.seen: list[dict[str, Any]] = []

    def say(self, **frame: Any) -> None:
        self.socket.send(json.dumps(frame))

    def next(self, patience: float = PATIENCE) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(self.socket.recv(timeout=patience))
        self.seen.append(frame)
        return frame

    def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Read until a frame of this type, or an event of this kind, has the fields; return it."""
        while True:
            frame = self.next()
            if kind in (frame["type"], frame.get("kind")) and fields.items() <= frame.items():
                return frame

    def events(self, generation: str) -> list[dict[str, Any]]:
        return [f for f in self.seen if f["type"] == "event" and f["generation"] == generation]

    def send(self, text: str, **fields: Any) -> dict[str, Any]:
        """Send a message and return the ack."""
        self.say(type="send", text=text, **{"client_msg_id": str(uuid.uuid4()), **fields})
        return self.until("ack")

    def ask(self, text: str, **fields: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Send a message and wait for its whole answer. Return the ack and the data of the end
        event.
        """
        ack = self.send(text, **fields)
        return ack, self.until("end", generation=ack["generation"])["data"]


class Deaf:
    """A client that reads no frames, so that the server's frames pile up."""

    def __init__(self, server: AppServer, cookies: str) -> None:
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        host, _, port = server.address.partition(":")
        self.socket.connect((host, int(port)))
        self.protocol = ClientProtocol(parse_uri(f"ws://{server.address}/ws/"))
        request = self.protocol.connect()
        request.headers["Cookie"] = cookies
        request.headers["Origin"] = server.url
        self.protocol.send_request(request)
        self._flush()
        self.protocol.receive_data(self.socket.recv(4_096))  # Reads only the handshake's answer.

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def say(self, **frame: Any) -> None:
        self.protocol.send_text(json.dumps(frame).encode())
        self._flush()

    def _flush(self) -> None:
        for data in self.protocol.data_to_send():
            self.socket.sendall(data)


class Person:
    """A person with a browser session of their own."""

    def __init__(self, server: AppServer) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.url, follow_redirects=True, timeout=PATIENCE)
        server.closing.append(self.http.close)
        self.open("/chat")
        self.post("/visitor")  # The page does this before a first message.

    def open(self, address: str) -> httpx.Response:
        return self.http.get(address)

    def sign_in(self, name: str, password: str) -> None:
        self.open("/login")
        self.post("/login", username=name, password=password)

    def post(self, address: str, **fields: Any) -> httpx.Response:
        """Post one of the app's forms, with its CSRF token."""
        return self.http.post(address, data=fields, headers=self.headers)

    @property
    def headers(self) -> dict[str, str]:
        token = self.http.cookies.get("csrftoken") or ""
        return {"X-CSRFToken": token, "Referer": self.server.url}

    def api(self, method: str, path: str, **options: Any) -> httpx.Response:
        return self.http.request(method, f"/api{path}", headers=self.headers, **options)

    @property
    def cookies(self) -> str:
        """Return the value of the header `Cookie`."""
        return "; ".join(f"{c.name}={c.value}" for c in self.http.cookies.jar)

    @contextmanager
    def deaf_socket(self) -> Iterator["Deaf"]:
        """Open a socket that sends frames and never reads any."""
        with Deaf(self.server, self.cookies) as deaf:
            yield deaf

    @contextmanager
    def tab(self, conversation: str | None = None) -> Iterator[Tab]:
        with connect(
            f"ws://{self.server.address}/ws/",
            additional_headers={"Cookie": self.cookies},
            origin=Origin(self.server.url),
            max_size=None,
            open_timeout=PATIENCE,
            ping_timeout=PATIENCE,
        ) as connection:
            tab = Tab(connection)
            if conversation:
                tab.say(type="subscribe", conversation=conversation)
            yield tab


def text_of(html: str) -> str:
    """Return roughly the text that a reader sees in a fragment of HTML."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip()

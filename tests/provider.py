"""A provider for tests: a real HTTP server on loopback that speaks OpenAI's streaming protocol.

    provider.script(Reply(text=["Hel", "lo"]), Reply(status=401))   # one per request, in order
    provider.requests                                               # the bodies received
    provider.received                                               # the same, byte for byte
    provider.asked.wait(PATIENCE), provider.closed.wait(PATIENCE)   # a client came; left early

Without a script the n-th request is answered with "reply n". `python -m tests.provider --port N`
serves the same without tests: GET /requests, POST /script (a list of Reply objects), POST /release.
"""

import argparse
import itertools
import json
import select
import socket
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import pytest

# litellm silences these warnings when imported, but pytest undoes that before each test.
LITELLM_WARNS = [
    pytest.mark.filterwarnings("ignore:.*`ReadOnly` qualifier:UserWarning:pydantic"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]


@dataclass(frozen=True)
class Call:
    """A tool call, whose arguments are sent in two pieces."""

    name: str
    arguments: str = "{}"
    id: str | None = "call_1"


@dataclass(frozen=True)
class Reply:
    """The provider's answer to one request. `hang_after` and `cut_after` count the events sent."""

    text: Sequence[str] = ()
    thinking: Sequence[str] = ()  # Reasoning, sent before the text.
    calls: Sequence[Call] = ()
    finish: str | None = "stop"
    usage: Mapping[str, Any] | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    # Sent in place of events. If it is empty and the status is not 200, OpenAI's error is sent.
    body: str = ""
    raw: Sequence[str] = ()  # Lines sent unchanged, after the text.
    delay: float = 0.0  # Seconds to wait between two events.
    hang_after: int | None = None  # Pauses until `release()`; 0: before the first byte.
    cut_after: int | None = None  # Resets the connection within the next event.
    piece: int | None = None  # The bytes of one write; any number may split characters.
    endless: bool = False  # Repeats the text without end.

    def events(self) -> Iterator[bytes]:
        """Return the answer as server-sent events, with `[DONE]` at the end."""
        for text in self.thinking:
            yield delta(reasoning_content=text)
        for text in itertools.cycle(self.text) if self.endless else self.text:
            yield delta(content=text)
        for index, call in enumerate(self.calls):
            yield from call_deltas(index, call)
        yield from (f"{line}\n\n".encode() for line in self.raw)
        if self.finish is not None:
            yield event({"choices": [{"index": 0, "delta": {}, "finish_reason": self.finish}]})
        if self.usage is not None:
            yield event({"choices": [], "usage": self.usage})
        yield b"data: [DONE]\n\n"

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> "Reply":
        calls = [Call(**call) for call in value.get("calls", ())]
        return Reply(**{**value, "calls": calls})


def event(payload: Mapping[str, Any]) -> bytes:
    frame = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "fake"}
    return f"data: {json.dumps({**frame, **payload}, ensure_ascii=False)}\n\n".encode()


def delta(**fields: Any) -> bytes:
    return event({"choices": [{"index": 0, "delta": fields, "finish_reason": None}]})


def call_deltas(index: int, call: Call) -> Iterator[bytes]:
    half = len(call.arguments) // 2
    head = {"name": call.name, "arguments": call.arguments[:half]}
    first = {"index": index, "id": call.id, "type": "function", "function": head}
    yield delta(tool_calls=[first])
    yield delta(tool_calls=[{"index": index, "function": {"arguments": call.arguments[half:]}}])


@dataclass(frozen=True)
class Received:
    """A request as it was received. `path` includes the query."""

    path: str
    headers: Mapping[str, str]
    body: bytes


class ClientLeft(Exception):
    """The client closed the connection before the answer was complete."""


class Provider:
    """The server, with functions by which a test controls it."""

    def __init__(self, port: int = 0) -> None:
        self.requests: list[dict[str, Any]] = []
        self.received: list[Received] = []
        self.asked = threading.Event()
        self.closed = threading.Event()
        self.released = threading.Event()
        self.stopping = threading.Event()
        self._replies: deque[Reply] = deque()
        self._lock = threading.Lock()
        self._server = Server(self, port)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def environment(self) -> dict[str, str]:
        """The app's environment variables that make this provider the default."""
        return {
            "DEFAULT_MODEL": "openai/fake",
            "OPENAI_API_KEY": "sk-test-canary",
            "OPENAI_API_BASE": f"{self.url}/v1",
        }

    @property
    def authorizations(self) -> list[str]:
        return [request.headers.get("authorization", "") for request in self.received]

    def script(self, *replies: Reply) -> None:
        """Set the answers for the next requests, one each."""
        self._replies.extend(replies)

    def reset(self) -> None:
        """Forget all requests and replies, as after the start."""
        with self._lock:
            self.requests.clear()
            self.received.clear()
            self._replies.clear()
        self.asked.clear()
        self.closed.clear()
        self.released = (
            threading.Event()
        )  # A reply that still waits keeps the old event, so it cannot start waiting again.

    def release(self) -> None:
        """Let all waiting and later replies go on."""
        self.released.set()

    def take(self, received: Received) -> Reply:
        with self._lock:
            self.received.append(received)
            self.requests.append(json.loads(received.body or b"null"))
            self.asked.set()
            default = Reply(text=["reply ", str(len(self.requests))])
            return self._replies.popleft() if self._replies else default


class Handler(BaseHTTPRequestHandler):
    """A connection to the provider, which the handler finds through its server."""

    server: "Server"
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        if self.path == "/requests":
            self._send(200, json.dumps(self.server.provider.requests))
        else:
            self._answer(self.server.provider.take(self._received(b"")))

    def _received(self, body: bytes) -> Received:
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Received(self.path, headers, body)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/script":
            self.server.provider.script(*map(Reply.from_json, json.loads(body)))
        elif self.path == "/release":
            self.server.provider.release()
        else:
            return self._answer(self.server.provider.take(self._received(body)))
        return self._send(200, "{}")

    def log_message(self, *args: object) -> None:
        """Write no access log."""

    def _answer(self, reply: Reply) -> None:
        try:
            if reply.status == 200 and not reply.body:
                self._stream(reply)
            else:
                error = {"message": "scripted", "type": "error", "code": None, "param": None}
                self._send(reply.status, reply.body or json.dumps({"error": error}), reply)
        except (ClientLeft, ConnectionError):
            self.server.provider.closed.set()
            self.close_connection = True

    def _send(self, status: int, body: str, reply: Reply | None = None) -> None:
        self.send_response(status)
        for name, value in reply.headers.items() if reply else ():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def _stream(self, reply: Reply) -> None:
        if reply.hang_after == 0:
            self._hang()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for sent, data in enumerate(reply.events(), 1):
            if reply.cut_after == sent - 1:
                return self._cut(data)
            self._write(data, reply.piece)
            if reply.hang_after == sent:
                self._hang()
            self._watch(reply.delay)
        return self._write_chunk(b"")

    def _write(self, data: bytes, piece: int | None) -> None:
        size = piece or len(data)
        for start in range(0, len(data), size):
            self._write_chunk(data[start : start + size])

    def _write_chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def _cut(self, data: bytes) -> None:
        """Send half an event, then reset the connection (a linger of 0 seconds) instead of closing
        it.
        """
        self.wfile.write(b"%x\r\n%b" % (len(data), data[: len(data) // 2]))
        time.sleep(0.05)  # Otherwise the reset could discard bytes still on their way.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _hang(self) -> None:
        released = self.server.provider.released
        while not released.is_set():
            self._watch(0.02)
            if self.server.provider.stopping.is_set():
                raise ClientLeft

    def _watch(self, seconds: float) -> None:
        """Wait for the event. Raise `ClientLeft` if the client disconnects meanwhile."""
        readable, _, _ = select.select([self.connection], [], [], seconds)
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            raise ClientLeft


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, provider: Provider, port: int) -> None:
        self.provider = provider
        super().__init__(("127.0.0.1", port), Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a client that resets an idle connection; report all other errors as usual."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """Start a provider only for this test; the model `openai/fake` reaches it."""
    with Provider() as server:
        monkeypatch.setenv("OPENAI_API_BASE", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        yield server


def main() -> None:
    parser = argparse.ArgumentParser(description="An OpenAI-compatible provider on loopback.")
    parser.add_argument("--port", type=int, required=True)
    with Provider(parser.parse_args().port) as server:
        server.stopping.wait()


if __name__ == "__main__":
    main()

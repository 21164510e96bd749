"""A strict provider: a real HTTP server that speaks one family's protocol and checks what it gets.

    with StrictProvider(Claude()) as provider:
        provider.script(Said(thinking=["Hm, ", "7."], calls=[Call("calculator", '{"a": 1}')]))
        ... provider.environment leads the app's own client here ...
    provider.received[0].body, provider.received[0].raw       # what came, parsed and as bytes
    provider.refusals                                         # what it did not accept, and why

Without a script the n-th request is answered with "reply n".
"""

import json
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Protocol, Self

from tests.provider import Call

Pieces = Sequence[str]
Headers = Mapping[str, str]


@dataclass(frozen=True)
class Said:
    """The thoughts, text and calls of an answer. Each text is streamed in the given pieces.

    `hidden` is thinking that only the provider can read. `again` is thinking after the text, if the
    family allows that. For the first `silence` seconds, the server only sends signs of life.
    """

    thinking: Pieces = ()
    text: Pieces = ()
    calls: Sequence[Call] = ()
    hidden: str = ""
    again: Pieces = ()
    silence: float = 0.0


class Family(Protocol):
    """One provider's protocol: how it answers, and what it refuses."""

    model: str
    media_type: str
    life: bytes  # A sign of life, sent before there is text.
    lookups: ClassVar[Mapping[str, Mapping[str, Any]]]  # Replies about the model, by path.

    def environment(self, url: str) -> dict[str, str]: ...

    def refusal(self, path: str, body: Mapping[str, Any], headers: Headers) -> str:
        """Say why a request is refused, in the provider's own words; empty if it is accepted."""

    def events(self, said: Said, number: int, body: Mapping[str, Any]) -> Iterator[bytes]: ...

    def kept(self, method: str, path: str) -> Iterator[bytes] | dict[str, Any] | None: ...

    def error(self, message: str) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Received:
    path: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw)


def bodies(received: Iterable[Received]) -> list[Any]:
    return [request.body for request in received]


class StrictProvider:
    """A server for one family's protocol."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.received: list[Received] = []
        self.refusals: list[str] = []
        self.later: list[tuple[str, str]] = []  # Methods and paths of requests about responses.
        self.piece: int | None = None  # The bytes of one write, which may split characters.
        self._script: deque[Said] = deque()
        self._lock = threading.Lock()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def environment(self) -> dict[str, str]:
        """The app's environment variables that make this server the default."""
        return {"DEFAULT_MODEL": self.family.model, **self.family.environment(self.url)}

    def script(self, *said: Said) -> None:
        """Set the answers for the next requests, one each; a refused request takes none of them."""
        self._script.extend(said)

    def take(self, request: Received) -> Iterator[bytes] | str:
        """Check a request. Return the events of its answer, or the reason for refusing it."""
        with self._lock:
            self.received.append(request)
            if refusal := self.family.refusal(request.path, request.body, request.headers):
                self.refusals.append(refusal)
                return refusal
            number = len(self.received)
            said = self._script.popleft() if self._script else Said(text=["reply ", str(number)])
        return self._lively(said, self.family.events(said, number, request.body))

    def _lively(self, said: Said, events: Iterator[bytes]) -> Iterator[bytes]:
        until = time.monotonic() + said.silence
        while time.monotonic() < until:
            yield self.family.life
            time.sleep(0.05)
        yield from events


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._about_response()

    def do_DELETE(self) -> None:
        self._about_response()

    def _about_response(self) -> None:
        """Answer a request about a response that the provider has kept, if its family keeps any."""
        provider = self.server.provider
        provider.later.append((self.command, self.path))
        found = provider.family.kept(self.command, self.path)
        if found is None:
            return self._send(404, json.dumps(provider.family.error("not found")).encode())
        if isinstance(found, dict):
            return self._send(200, json.dumps(found).encode())
        return self._stream(found)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        provider = self.server.provider
        if self.path.endswith("/cancel"):
            return self._about_response()
        if found := provider.family.lookups.get(self.path):
            return self._send(200, json.dumps(found).encode())
        answer = provider.take(Received(self.path, dict(self.headers), raw))
        if isinstance(answer, str):
            return self._send(400, json.dumps(provider.family.error(answer)).encode())
        return self._stream(answer)

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, events: Iterator[bytes]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", self.server.provider.family.media_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for data in _parted(events, self.server.provider.piece):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
            self.wfile.write(b"0\r\n\r\n")
        except ConnectionError:
            self.close_connection = True

    def log_message(self, *args: object) -> None:
        """Write no access log."""


def _parted(events: Iterator[bytes], size: int | None) -> Iterator[bytes]:
    for data in events:
        yield from (
            data[at : at + (size or len(data))] for at in range(0, len(data), size or len(data))
        )


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, provider: StrictProvider) -> None:
        self.provider = provider
        super().__init__(("127.0.0.1", 0), _Handler)

"""HTTP and WebSocket by uvicorn, with limits on waiting and on open connections."""

import asyncio
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import h11
from django.utils.translation import gettext_lazy as _
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from chatapp.server.connections import Connections
from chatapp.server.early import last_words

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PIECE = 16_384  # Bytes given to h11 at once: it refuses a longer head only when it has to wait.
AHEAD = 4 * PIECE
REST_SECONDS = 5  # How many seconds to wait for the rest of a refused request.
SLOW = _("The request did not arrive in time.")
STOPPING = _("The server is restarting. Try again in a moment.")


class AwaitedPart(Enum):
    """The part of a request that the client still has to send."""

    NOTHING = 0
    HEAD = 1
    BODY = 2
    REST = 3  # The rest of a body whose request was answered; nobody reads it.


@dataclass(frozen=True, slots=True)
class Patience:
    """The seconds to wait for each part of what a client has to do."""

    head: float
    # The longest pause within a body, or while the client reads nothing of an answer.
    silence: float
    body: float
    rest: float = REST_SECONDS

    def until(self, awaited: AwaitedPart) -> float:
        limits = {
            AwaitedPart.HEAD: self.head,
            AwaitedPart.BODY: self.body,
            AwaitedPart.REST: self.rest,
        }
        return limits[awaited]


class HttpProtocol(H11Protocol):
    """HTTP by uvicorn, with more time limits: uvicorn's own apply only between requests.

    Timers are set whenever one of its methods has run: each piece that arrives, and each answer
    that ends, may change what the connection waits for.
    """

    def __init__(self, *, connections: Connections, patience: Patience, **options: Any) -> None:
        super().__init__(**options)
        self._all = connections
        self._patience = patience
        self._awaited = AwaitedPart.NOTHING
        self._since = self._heard = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
        super().connection_made(transport)
        if self._all.enter(transport):
            self._await(AwaitedPart.HEAD)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        self._heard = self.loop.time()
        for start in range(0, len(data), PIECE):
            super().data_received(data[start : start + PIECE])
            self._bound_what_is_ahead()
            if self._is_over():
                break
        self._await(self._owed(between=AwaitedPart.HEAD))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._await(self._owed(between=AwaitedPart.NOTHING))

    def connection_lost(self, exc: Exception | None) -> None:
        self._await(AwaitedPart.NOTHING)
        self.resume_writing()
        self._all.leave(self.transport)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self._patience.silence, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()

    def shutdown(self) -> None:
        """Shut down without waiting for clients that are still sending a body."""
        if self._awaited is AwaitedPart.BODY:
            self._dismiss(HTTPStatus.SERVICE_UNAVAILABLE, STOPPING)
        else:
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        self._dismiss(HTTPStatus.BAD_REQUEST, msg)

    def _owed(self, between: AwaitedPart) -> AwaitedPart:
        """Return which part the client has to send; `between` if no request has begun."""
        if self._is_over():
            return AwaitedPart.NOTHING
        if self.conn.their_state is h11.IDLE:
            return between
        if self.conn.their_state is not h11.SEND_BODY:
            return AwaitedPart.NOTHING
        return AwaitedPart.REST if self.cycle.response_complete else AwaitedPart.BODY

    def _bound_what_is_ahead(self) -> None:
        """Limit requests that are sent before earlier ones are answered, since they fill our
        memory: each page that reads the rest of its body lets in more of them.
        """
        if self.conn.their_state is h11.DONE and len(self.conn.trailing_data[0]) > AHEAD:
            self.transport.abort()

    def _is_over(self) -> bool:
        """Whether the connection is being closed, or has become a WebSocket."""
        return self.transport.is_closing() or self.transport.get_protocol() is not self

    def _await(self, awaited: AwaitedPart) -> None:
        idle = self.conn.their_state is h11.IDLE and not self._is_over()
        self._all.mark(self.transport, idle=idle)
        if awaited is self._awaited:
            return
        self._awaited = awaited
        self._since = self._heard = self.loop.time()
        if self._timer is not None:
            self._timer.cancel()
        if awaited is not AwaitedPart.NOTHING:
            self._timer = self.loop.call_later(self._left(), self._look)

    def _left(self) -> float:
        """Return the seconds left. While a page reads nothing, its client cannot send anything."""
        now = self.loop.time()
        left = self._since + self._patience.until(self._awaited) - now
        if self._awaited is not AwaitedPart.BODY:
            return left
        heard = now if self.flow.read_paused else self._heard
        return min(left, heard + self._patience.silence - now)

    def _look(self) -> None:
        left = self._left()
        if left > 0:
            self._timer = self.loop.call_later(left, self._look)
        elif self._awaited is AwaitedPart.REST or not self._heard_anything():
            self.transport.close()
        else:
            self._dismiss(HTTPStatus.REQUEST_TIMEOUT, SLOW)

    def _heard_anything(self) -> bool:
        return self._awaited is AwaitedPart.BODY or bool(self.conn.trailing_data[0])

    def _dismiss(self, status: HTTPStatus, sentence: "StrOrPromise") -> None:
        """Send a last answer on this connection, unless an answer has already begun."""
        cycle: Any = self.cycle  # The cycle is None before the first request.
        if not cycle or not cycle.response_started or cycle.response_complete:
            self.transport.write(last_words(status, sentence))
        if cycle:
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.close()


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket on a connection that began as `HttpProtocol`, which goes on counting it."""

    def __init__(self, *, connections: Connections, **options: Any) -> None:
        super().__init__(**options)
        self._all = connections

    def connection_lost(self, exc: Exception | None) -> None:
        self._all.leave(self.transport)
        super().connection_lost(exc)

    def handle_parser_exception(self) -> None:
        """Keep reading for a moment. uvicorn would close at once; what arrives after that resets
        the connection, and the reset may overtake the reason for closing.
        """
        close: Any = self.conn.close_sent
        if self.close_sent or close is None:
            return
        event: Any = {"type": "websocket.disconnect", "code": close.code, "reason": close.reason}
        self.queue.put_nowait(event)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(REST_SECONDS, self.transport.close)

    async def send(self, message: Any) -> None:
        await super().send(message)
        # uvicorn would take a refused handshake for one without an answer.
        if self.close_sent:
            self.handshake_complete = True

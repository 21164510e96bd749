"""Answers that are given before any page is reached: a plain sentence with the safety headers.

One of them refuses a request body that is too long. The body is counted while it arrives, because
Django would write all of it to the disk before checking its length.
"""

import json
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http.request import split_domain_port
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NONE: Mapping[str, int] = {}
SAFETY = {
    b"content-security-policy": b"default-src 'none'; base-uri 'none'; form-action 'none'; "
    b"frame-ancestors 'none'",
    b"x-frame-options": b"DENY",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"same-origin",
    b"permissions-policy": b"camera=(), display-capture=(), geolocation=(), microphone=(), "
    b"payment=(), usb=()",
    b"cache-control": b"private, no-store",
}
OPENER = {b"cross-origin-opener-policy": b"same-origin"}
# The scope of a request of which nothing could be read.
UNREAD: Mapping[str, Any] = {"headers": ()}
LOCAL = {"localhost", "127.0.0.1", "[::1]"}


def made_safe(
    headers: Iterable[tuple[bytes, bytes]], scope: Mapping[str, Any] = UNREAD
) -> list[tuple[bytes, bytes]]:
    """Add each safety header that is missing; a page's own headers, such as its policy, stay."""
    own_headers = list(headers)
    names = {name.lower() for name, _ in own_headers}
    safety = SAFETY | OPENER if _heeds_opener(scope) else SAFETY
    return own_headers + [(name, value) for name, value in safety.items() if name not in names]


def _heeds_opener(scope: Mapping[str, Any]) -> bool:
    """Return whether browsers apply the opener policy of this answer.

    Over plain http they apply it only to this machine's own pages; for others they log a warning.
    """
    headers = dict(scope["headers"])
    host, _port = split_domain_port(headers.get(b"host", b"").decode("latin-1"))
    is_secure = settings.SESSION_COOKIE_SECURE or headers.get(b"x-forwarded-proto") == b"https"
    return is_secure or host in LOCAL or host.endswith(".localhost")


class SafeHeaders:
    """Adds the safety headers to every answer of an ASGI application, wherever it is made."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def send_safely(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": made_safe(message.get("headers", ()), scope)}
            await send(message)

        await self.application(scope, receive, send_safely)


class Refusal:
    """An ASGI application that answers with one sentence; programs get it as JSON, with a code.

    The script of a page never learns why its handshake failed, but other clients can read it.
    """

    def __init__(self, status: int, code: str, sentence: "StrOrPromise") -> None:
        self.status, self.code, self.sentence = status, code, sentence

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        is_socket = scope["type"] == "websocket"
        if is_socket and "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close"})
            return
        kind = "websocket.http.response" if is_socket else "http.response"
        content_type, body = self._told(scope)
        headers = made_safe([(b"content-type", content_type), _length(body)], scope)
        await send({"type": f"{kind}.start", "status": self.status, "headers": headers})
        await send({"type": f"{kind}.body", "body": body})

    def _told(self, scope: Mapping[str, Any]) -> tuple[bytes, bytes]:
        if not scope["path"].startswith("/api/"):
            return b"text/plain; charset=utf-8", str(self.sentence).encode()
        body = {"code": self.code, "detail": str(self.sentence)}
        return b"application/json; charset=utf-8", json.dumps(body).encode()


class BoundedBodies:
    """Limits the length of request bodies, declared or in chunks: a longer one is answered with
    413.

    Some addresses have limits of their own.
    """

    def __init__(self, application: Any, most: int, own: Mapping[str, int] = NONE) -> None:
        self.application = application
        self.most = most
        self.own = own

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        most = self.own.get(scope["path"], self.most)
        body = _Body(receive, most)
        if _declared(scope) <= most:
            await self.application(scope, body.receive, send)
        if body.is_too_long or _declared(scope) > most:
            text = gettext_lazy("The request is too large. The limit is {most:,} bytes.")
            refusal = Refusal(413, "too_long", format_lazy(text, most=most))
            await refusal(scope, receive, send)


class _Body:
    """Makes an overlong body look like a lost connection to the application, which then drops what
    it has read and sends no answer.
    """

    def __init__(self, receive: Any, most: int) -> None:
        self._receive = receive
        self._left = most
        self.is_too_long = False

    async def receive(self) -> Any:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        self.is_too_long = self._left < 0
        return {"type": "http.disconnect"} if self.is_too_long else message


def _declared(scope: Mapping[str, Any]) -> int:
    """Return the Content-Length as a number; uvicorn accepts only digits in it."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)


def last_words(status: HTTPStatus, sentence: "StrOrPromise") -> bytes:
    """Return a complete response for a connection that is closed after it."""
    body = str(sentence).encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), _length(body)]
    lines = [f"HTTP/1.1 {status.value} {status.phrase}".encode()]
    lines += [b": ".join(pair) for pair in made_safe([*headers, (b"connection", b"close")])]
    return b"\r\n".join([*lines, b"", body])


def _length(body: bytes) -> tuple[bytes, bytes]:
    return b"content-length", str(len(body)).encode()

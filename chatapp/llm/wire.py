"""Record each request as it leaves this process, and the headers of its answer, but never a key.

    with recorded(wires):
        await something that asks a provider

Each request that this task sends within the block is appended to `wires`, even one that a
library repeats by itself. Requests with form data are left out: libraries use them to fetch tokens,
and they contain secrets.
"""

import asyncio
from collections.abc import Callable, Iterator, MutableSequence
from contextlib import contextmanager
from contextvars import ContextVar
from http.cookiejar import CookieJar, DefaultCookiePolicy
from weakref import WeakKeyDictionary

import httpx

from chatapp.llm.life import watch
from chatapp.llm.providers.guard import GuardedTransport
from chatapp.llm.providers.refusals import keep_words
from chatapp.llm.providers.transport import Transport
from chatapp.llm.streams.mending import mend
from history.core.wire.request import WireRequest

KEY = "$API_KEY"  # Stands for the key in the record of a request.
QUOTED = 6  # No header has so many letters and digits of a key in a row by chance.
LONGEST = 300  # The most characters of a header that are kept.
# Of aiohttp's errors, known by the names of their classes, only these come before a connection.
CERTAIN = frozenset(
    {"ClientConnectorError", "ConnectionTimeoutError", "InvalidURL", "NonHttpUrlClientError"}
)
UNCERTAIN = frozenset({"ClientError", "CancelledError"})
SENT_HEADERS = frozenset(
    {
        *("accept", "content-type", "user-agent", "http-referer", "x-title"),
        *("anthropic-version", "anthropic-beta", "openai-beta"),
    }
)
KEY_HEADERS = frozenset({"authorization", "x-api-key", "api-key", "x-goog-api-key"})
# Words that may precede the key in a header.
SCHEMES = frozenset({"Bearer", "Basic", "AWS4-HMAC-SHA256"})
SENT_PARAMETERS = frozenset({"alt", "api-version", "beta"})
ANSWERED_HEADERS = frozenset(
    {
        *("request-id", "x-request-id", "x-generation-id", "cf-ray", "retry-after"),
        *("retry-after-ms", "openai-processing-ms", "openai-version", "server-timing"),
    }
)
RATE_LIMITS = ("x-ratelimit-", "ratelimit-", "anthropic-ratelimit-")


_wires: ContextVar[MutableSequence[WireRequest] | None] = ContextVar("wires", default=None)


@contextmanager
def recorded(wires: MutableSequence[WireRequest]) -> Iterator[None]:
    token = _wires.set(wires)
    try:
        yield
    finally:
        _wires.reset(token)


class Recorder(httpx.AsyncBaseTransport):
    """A transport that records requests, and sends them through the event loop's own transport,
    which `make` makes.

    Libraries close their clients, and the clients' transports, at times of their own choosing. Only
    `close` closes this transport.
    """

    def __init__(self, make: Callable[[], httpx.AsyncBaseTransport]) -> None:
        self._make = make
        self._inner: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncBaseTransport]
        self._inner = WeakKeyDictionary()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        wires = _wires.get()
        if wires is None or "form" in request.headers.get("content-type", ""):
            return await self._transport().handle_async_request(request)
        record = _record(request.method, request.url, request.headers, await request.aread())
        wires.append(record)
        _wait_for_answer(request)
        # Without compression, text can be read as it arrives.
        request.headers["accept-encoding"] = "identity"
        try:
            response = await self._transport().handle_async_request(request)
        except httpx.HTTPError as error:
            record.left = not lacked_connection(error)
            raise
        watch(response)
        mend(response)
        record.status = response.status_code
        secrets = _secrets(request)
        record.answered = _answered(response.headers, secrets)
        keep_words(response, record, secrets)
        return response

    async def aclose(self) -> None:
        """Do nothing: only `close` closes the connections."""

    async def close(self) -> None:
        """Close this event loop's connections."""
        if inner := self._inner.pop(asyncio.get_running_loop(), None):
            await inner.aclose()

    def _transport(self) -> httpx.AsyncBaseTransport:
        loop = asyncio.get_running_loop()
        if loop not in self._inner:
            self._inner[loop] = self._make()
        return self._inner[loop]


class Sender(httpx.AsyncClient):
    """The HTTP client that we share with all clients of the openai library; it keeps no cookies."""

    def __init__(self, transport: Recorder) -> None:
        nobody = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        # Vitrine sets deadlines of its own, which bound each request as a whole.
        super().__init__(transport=transport, follow_redirects=True, cookies=nobody, timeout=None)

    async def aclose(self) -> None:
        """Stay open, because other clients share this one. The transport is closed separately."""


def _record(method: str, url: httpx.URL, headers: httpx.Headers, body: bytes) -> WireRequest:
    return WireRequest(method, _address(url), _kept(headers), body)


def _wait_for_answer(request: httpx.Request) -> None:
    """Remove the read timeout, which restarts with every piece, because we set deadlines."""
    times = request.extensions.get("timeout", {})
    request.extensions = {**request.extensions, "timeout": {**times, "read": None}}


def _address(url: httpx.URL) -> str:
    """Return the address. Only parameters known to be harmless keep their values."""
    parameters = url.params.multi_items()
    query = "&".join(f"{n}={value if n in SENT_PARAMETERS else KEY}" for n, value in parameters)
    base = str(url.copy_with(userinfo=b"", query=None, fragment=None))
    return f"{base}?{query}" if query else base


def _kept(headers: httpx.Headers) -> dict[str, str]:
    own = {n: value[:LONGEST] for n, value in headers.items() if n in SENT_HEADERS}
    return own | {n: _hidden(value) for n, value in headers.items() if n in KEY_HEADERS}


def _hidden(value: str) -> str:
    """Return a header's value with `$API_KEY` in place of its key."""
    scheme = value.partition(" ")[0]
    return f"{scheme} {KEY}" if scheme in SCHEMES else KEY


def _answered(headers: httpx.Headers, secrets: frozenset[str]) -> dict[str, str]:
    """Return the headers that tell something about the answer, unless they quote a key."""
    return {
        name: value[:LONGEST]
        for name, value in headers.items()
        if name in ANSWERED_HEADERS or name.startswith(RATE_LIMITS)
        if value.isprintable() and not any(_quotes(value, secret) for secret in secrets)
    }


def _quotes(value: str, secret: str) -> bool:
    """Return whether a header contains the secret, or `QUOTED` of its characters in a row."""
    bare, key = _bare(value), _bare(secret)
    runs = (key[n : n + QUOTED] for n in range(max(len(key) - QUOTED, 0) + 1))
    return secret in value or any(run and run in bare for run in runs)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _secrets(request: httpx.Request) -> frozenset[str]:
    """Return the request's secrets, which must not be recorded even if an answer quotes them."""
    values = {value for n, value in request.headers.items() if n in KEY_HEADERS}
    keys = {
        value.partition(" ")[2] if value.split(" ")[0] in SCHEMES else value for value in values
    }
    hidden = {v for n, v in request.url.params.multi_items() if n not in SENT_PARAMETERS}
    return frozenset(filter(None, keys | hidden))


def lacked_connection(error: httpx.HTTPError) -> bool:
    """Return whether it is certain that there was no connection: the host has no address, nobody
    listens there, or its certificate is refused.

    Only the direct cause is read: a library that tries again keeps its first error below that.
    """
    causes = {base.__name__ for base in type(error.__cause__).__mro__}
    if not causes.isdisjoint(CERTAIN | UNCERTAIN):
        return not causes.isdisjoint(CERTAIN)
    return isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)


RECORDER = Recorder(lambda: GuardedTransport(Transport()))
SENDER = Sender(RECORDER)

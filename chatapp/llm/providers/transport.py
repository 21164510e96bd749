"""How requests to providers leave: by aiohttp, behind the interface of httpx.

Reading a stream piece by piece takes aiohttp a quarter of the processor time that httpx's own
transport takes. As in litellm's transport, proxies and certificates come from the environment.
"""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from functools import cache, cached_property
from typing import TYPE_CHECKING
from urllib.request import getproxies, proxy_bypass

import httpx

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

logger = logging.getLogger(__name__)
CONNECTIONS = 1_000  # The most connections at once; aiohttp's usual 100 are fewer than our answers.
KEPT_SECONDS = 120  # How long an unused connection is kept for the next request.


class Transport(httpx.AsyncBaseTransport):
    """Sends the requests of one event loop. Redirects are not followed."""

    def __init__(self) -> None:
        self._proxies: dict[tuple[str, str], str | None] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        from aiohttp import ClientTimeout  # noqa: PLC0415 -- slow
        from yarl import URL  # noqa: PLC0415 -- as above

        body = await request.aread()
        request.headers.pop("transfer-encoding", None)  # The body is sent whole.
        times = request.extensions.get("timeout", {})
        with _as_httpx():
            answer = await self._session.request(
                request.method,
                URL(str(request.url), encoded=True),
                headers=request.headers.multi_items(),
                data=body or None,
                allow_redirects=False,
                auto_decompress=False,
                proxy=self._proxy_to(request.url),
                timeout=ClientTimeout(
                    connect=times.get("pool"),
                    sock_connect=times.get("connect"),
                    sock_read=times.get("read"),
                ),
            )
        headers = answer.raw_headers
        return httpx.Response(answer.status, headers=headers, stream=_Body(answer), request=request)

    async def aclose(self) -> None:
        if "_session" in vars(self):
            await self._session.close()

    @cached_property
    def _session(self) -> "ClientSession":
        """The connections. They are made at the first request, in its event loop."""
        from aiohttp import ClientSession, DummyCookieJar, TCPConnector  # noqa: PLC0415 -- slow
        from aiohttp.connector import NEEDS_CLEANUP_CLOSED  # noqa: PLC0415 -- as above

        connector = TCPConnector(
            limit=CONNECTIONS,
            keepalive_timeout=KEPT_SECONDS,
            enable_cleanup_closed=NEEDS_CLEANUP_CLOSED,
            ssl=_certificates(),
        )
        return ClientSession(connector=connector, cookie_jar=DummyCookieJar())

    def _proxy_to(self, url: httpx.URL) -> str | None:
        """Return the address of the proxy for this host. It is looked up only once, because reading
        the environment is slow.
        """
        place = (url.scheme, url.host)
        if place not in self._proxies:
            self._proxies[place] = _proxy_in_environment(*place)
        return self._proxies[place]


class _Body(httpx.AsyncByteStream):
    def __init__(self, answer: "ClientResponse") -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            with _as_httpx():
                async for piece in self._answer.content.iter_any():
                    yield piece
        finally:  # litellm does not close every answer that it stops reading.
            await self.aclose()

    async def aclose(self) -> None:
        """Close the connection, unless all was read: then it is already free for others."""
        self._answer.close()


@cache
def _certificates() -> ssl.SSLContext:
    """The certificates that are trusted; the usual ones if those that the environment names cannot
    be read.
    """
    try:
        return httpx.create_ssl_context()
    except OSError as error:
        logger.error("SSL_CERT_FILE or SSL_CERT_DIR is ignored, as it can't be read: %s", error)
        return httpx.create_ssl_context(trust_env=False)


def _proxy_in_environment(scheme: str, host: str) -> str | None:
    if proxy_bypass(host):
        return None
    proxies = getproxies()
    address = proxies.get(scheme) or proxies.get("all")
    return f"http://{address}" if address and "://" not in address else address


@contextmanager
def _as_httpx() -> Generator[None]:
    """Raise httpx's errors instead of aiohttp's, which stay their causes."""
    import aiohttp  # noqa: PLC0415 -- slow

    # The first class that fits decides.
    errors: tuple[tuple[type[BaseException], type[httpx.TransportError]], ...] = (
        (aiohttp.ConnectionTimeoutError, httpx.ConnectTimeout),
        (TimeoutError, httpx.ReadTimeout),
        (aiohttp.ClientProxyConnectionError, httpx.ProxyError),
        (aiohttp.ClientConnectorError, httpx.ConnectError),
        (aiohttp.InvalidURL, httpx.UnsupportedProtocol),
        (aiohttp.ClientPayloadError, httpx.ReadError),
        (aiohttp.ClientError, httpx.NetworkError),
    )
    try:
        yield
    except asyncio.CancelledError as cancelled:
        # If its session closes while it resolves a host's name, aiohttp raises this error, too.
        if (task := asyncio.current_task()) is None or task.cancelling():
            raise
        raise httpx.ConnectError("the session was closed") from cancelled
    except Exception as error:
        for theirs, ours in errors:
            if isinstance(error, theirs):
                raise ours(str(error)) from error
        raise

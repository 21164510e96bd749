"""Let requests to providers from the admin's page reach only where such providers may be.

The host's name is looked up here, its addresses checked, and the connection made to that very
address: a name that means another one a moment later leads nowhere. Redirects are refused.
"""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import httpx
from django.utils.translation import gettext as _

from agents.providers.addresses import AddressRefused, reachable
from agents.tools.hosts import DEFAULT_PORTS
from chatapp.llm.errors import ErrorKind, ProviderError

_restricted: ContextVar[bool] = ContextVar("restricted", default=False)


@contextmanager
def restricted(*, applies: bool) -> Iterator[None]:
    """Guard the requests that this task sends meanwhile, if the rule applies to them."""
    token = _restricted.set(applies)
    try:
        yield
    finally:
        _restricted.reset(token)


class GuardedTransport(httpx.AsyncBaseTransport):
    """Passes other requests on to `free`. Guarded hosts share no connections: each has a
    certificate of its own.
    """

    def __init__(self, free: httpx.AsyncBaseTransport) -> None:
        self._free = free
        self._by_host: dict[str, httpx.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not _restricted.get():
            return await self._free.handle_async_request(request)
        host = request.url.raw_host.decode()
        request.url = await _pinned(request.url, host)
        request.extensions = {**request.extensions, "sni_hostname": host}
        own = self._by_host.setdefault(host, httpx.AsyncHTTPTransport(trust_env=False))
        response = await own.handle_async_request(request)
        if response.has_redirect_location:
            await response.aclose()
            raise _refused(
                _("{host} redirects elsewhere. Enter its final address.").format(host=host)
            )
        return response

    async def aclose(self) -> None:
        for transport in (self._free, *self._by_host.values()):
            await transport.aclose()


async def _pinned(url: httpx.URL, host: str) -> httpx.URL:
    port = url.port or DEFAULT_PORTS[url.scheme]
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise httpx.ConnectError(f"{type(error).__name__} for the provider's host") from error
    try:
        address = reachable(url.scheme, host, port, [str(place[0]) for *_rest, place in found])
    except AddressRefused as refused:
        raise _refused(str(refused)) from refused
    return url.copy_with(host=address)


def _refused(sentence: str) -> ProviderError:
    return ProviderError(ErrorKind.FORBIDDEN, sentence)

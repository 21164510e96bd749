"""Keep requests to providers that administrators entered away from addresses that are not allowed.

The host's name is resolved here, its addresses are checked, and the connection is made to one of
them. So a name that resolves differently a moment later leads nowhere. Redirects are refused.
"""

import asyncio
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar

import httpx
from django.utils.translation import gettext as _

from agents.providers.addresses import AddressRefused, reachable
from agents.tools.hosts import DEFAULT_PORTS
from chatapp.llm.errors import ErrorKind, ProviderError

_restricted: ContextVar[bool] = ContextVar("restricted", default=False)


@contextmanager
def restricted(*, applies: bool) -> Iterator[None]:
    """Within the block, guard the requests of this task if `applies` is true."""
    token = _restricted.set(applies)
    try:
        yield
    finally:
        _restricted.reset(token)


class GuardedTransport(httpx.AsyncBaseTransport):
    """Sends requests. Restricted ones are checked; all others go to the transport `free`.

    Guarded hosts share no connections, because their certificates differ.
    """

    def __init__(self, free: httpx.AsyncBaseTransport) -> None:
        self._free = free
        self._by_host: dict[str, httpx.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not _restricted.get():
            return await self._free.handle_async_request(request)
        host = request.url.raw_host.decode()
        places = await _pinned(request.url, host)
        request.extensions = {**request.extensions, "sni_hostname": host}
        own = self._by_host.setdefault(host, httpx.AsyncHTTPTransport(trust_env=False))
        response = await _first_of(places, own, request)
        if response.has_redirect_location:
            await response.aclose()
            raise _refused(
                _("{host} redirects elsewhere. Enter its final address.").format(host=host)
            )
        return response

    async def aclose(self) -> None:
        for transport in (self._free, *self._by_host.values()):
            await transport.aclose()


async def _first_of(
    places: Sequence[httpx.URL], own: httpx.AsyncHTTPTransport, request: httpx.Request
) -> httpx.Response:
    """Send a request to the first address that answers; a server may listen on only one."""
    for request.url in places[:-1]:
        with suppress(httpx.ConnectError, httpx.ConnectTimeout):
            return await own.handle_async_request(request)
    request.url = places[-1]
    return await own.handle_async_request(request)


async def _pinned(url: httpx.URL, host: str) -> list[httpx.URL]:
    port = url.port or DEFAULT_PORTS[url.scheme]
    try:
        places = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:  # No part of a name may be empty or too long.
        raise httpx.ConnectError(f"{type(error).__name__} for the provider's host") from error
    try:
        addresses = reachable(url.scheme, host, port, [str(place[0]) for *_rest, place in places])
    except AddressRefused as refused:
        raise _refused(str(refused), left=False) from refused
    return [url.copy_with(host=address) for address in addresses]


def _refused(sentence: str, *, left: bool = True) -> ProviderError:
    return ProviderError(ErrorKind.FORBIDDEN, sentence, left=left)

"""Read a page from one of the hosts that `READ_PAGE_HOSTS` lists, never from any other.

The host's name is looked up here, its address checked, and the connection made to that address. So
a name whose address changes a moment later leads nowhere else.
"""

import asyncio
import socket
from contextlib import aclosing
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated

from django.conf import settings
from pydantic import Field

from agents.tools.hosts import DEFAULT_PORTS, Hosts
from agents.tools.pages import text_of
from agents.tools.tool import ToolError, tool

if TYPE_CHECKING:
    import httpx

SECONDS = 15.0  # The most seconds for a page, including all redirects.
MOST_BYTES = 2_000_000
MOST_REDIRECTS = 3
READABLE = ("text/", "application/json", "application/xml", "application/xhtml+xml")
HEADERS = {
    "User-Agent": "Vitrine",
    "Accept": "text/html, text/*, application/json",
    "Accept-Encoding": "identity",  # A compressed page may expand to any size.
}


def read_page(
    url: Annotated[
        str, Field(max_length=2_000, description="An https:// address on an allowed host.")
    ],
) -> str:
    """Read the text of a web page. Only some hosts are allowed; the error names them."""
    if not settings.READ_PAGE_HOSTS:
        raise ToolError("reading pages is turned off, because READ_PAGE_HOSTS is empty.")
    try:
        return asyncio.run(_read(url, settings.READ_PAGE_HOSTS))
    except TimeoutError as error:
        raise ToolError(f"the page took longer than {SECONDS:g} seconds.") from error


async def _read(url: str, hosts: Hosts) -> str:
    """Read a page in an event loop of its own, so that the time limit can stop it anywhere."""
    import httpx  # noqa: PLC0415 -- a fifth of a second that most starts need not spend

    try:
        async with (
            asyncio.timeout(SECONDS),
            httpx.AsyncClient(trust_env=False, headers=HEADERS, timeout=SECONDS) as client,
        ):
            return await _page(client, httpx.URL(url), hosts)
    except httpx.InvalidURL as error:
        raise ToolError(f"{url[:80]!r} is not a web address.") from error
    except httpx.HTTPError as error:
        raise ToolError(f"the page could not be read ({type(error).__name__}).") from error


async def _page(client: "httpx.AsyncClient", url: "httpx.URL", hosts: Hosts) -> str:
    for _ in range(MOST_REDIRECTS + 1):
        request = await _pinned(client, url, hosts)
        async with aclosing(await client.send(request, stream=True)) as response:
            if response.next_request is None:
                return await _text(response)
            url = url.join(response.headers["Location"])
    raise ToolError(f"the page redirects more than {MOST_REDIRECTS} times.")


async def _pinned(client: "httpx.AsyncClient", url: "httpx.URL", hosts: Hosts) -> "httpx.Request":
    """Build a request to the checked IP; the host's name stays in the Host header and TLS."""
    host = url.raw_host.decode()
    if url.scheme not in DEFAULT_PORTS or url.userinfo:
        raise ToolError(f"{str(url)[:80]!r} is not a plain http or https address.")
    if not hosts.admit(url.scheme, host, url.port):
        raise ToolError(f"{host[:80]!r} is not an allowed host. Allowed: {hosts}.")
    address = await _address(host, url.port or DEFAULT_PORTS[url.scheme], hosts)
    return client.build_request(
        "GET",
        url.copy_with(host=address),
        headers={"Host": url.netloc.decode()},
        extensions={"sni_hostname": host},
    )


async def _address(host: str, port: int, hosts: Hosts) -> str:
    try:
        places = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise ToolError(f"{host!r} was not found.") from error
    addresses = [str(place[0]) for *_, place in places]
    allowed = [address for address in addresses if hosts.reach(ip_address(address))]
    if not allowed or len(allowed) < len(addresses):
        raise ToolError(f"{host!r} resolves to an address that is neither public nor listed.")
    return allowed[0]


async def _text(response: "httpx.Response") -> str:
    kind = response.headers.get("Content-Type", "text/plain").lower()
    if response.is_error:
        raise ToolError(f"the server answered {response.status_code} {response.reason_phrase}.")
    if not kind.startswith(READABLE):
        raise ToolError(f"the page is {kind[:40]}, not text.")
    text = await _body(response)
    return text_of(text) if "html" in kind else text


async def _body(response: "httpx.Response") -> str:
    """Read the page's body up to the limit, and keep no more in memory."""
    body = b""
    async for part in response.aiter_bytes(65_536):
        body += part
        if len(body) > MOST_BYTES:
            return f"{_decoded(body[:MOST_BYTES], response)}\n[Cut off after {MOST_BYTES:,} bytes]"
    return _decoded(body, response)


def _decoded(body: bytes, response: "httpx.Response") -> str:
    try:
        return body.decode(response.charset_encoding or "utf-8", "replace")
    except LookupError:  # The page names an unknown encoding.
        return body.decode("utf-8", "replace")


READ_PAGE = tool(read_page, timeout=SECONDS + 5)

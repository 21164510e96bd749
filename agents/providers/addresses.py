"""Check the addresses that administrators enter for providers.

Addresses from the environment need no check. An address from a page must be public, or listed in
`PROVIDER_HOSTS`; `chatapp.llm.providers.guard` looks its host's name up again for each call.
"""

import socket
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from agents.tools.hosts import DEFAULT_PORTS


class AddressRefused(ValueError):
    """An address may not be called; the message says why, and how to allow this address."""


def check_address(address: str) -> None:
    """Check an address when it is entered. A host that cannot be found is accepted, because it may
    exist later.
    """
    scheme, host, port = address_parts(address)
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return
    reachable(scheme, host, port, [str(place[0]) for *_rest, place in places])


def address_parts(address: str) -> tuple[str, str, int]:
    """Return an address's scheme, host and port. Raise `AddressRefused` if it cannot be a
    provider's address; the host is not looked up.
    """
    parts = _parts(address)
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise AddressRefused(_("The address must start with http:// or https://."))
    if parts.username or parts.password or parts.query or parts.fragment:
        raise AddressRefused(_("The address may not contain a user, a password, ? or #."))
    return parts.scheme, parts.hostname, parts.port or DEFAULT_PORTS[parts.scheme]


def reachable(scheme: str, host: str, port: int, answers: Collection[str]) -> tuple[str, ...]:
    """Return the IP addresses to try in turn, out of the `answers` for the host's name.

    Raise `AddressRefused` if one of them is not allowed.
    """
    hosts = settings.PROVIDER_HOSTS
    addresses = tuple(dict.fromkeys(ip_address(text.partition("%")[0]) for text in answers))
    if f"{host}:{port}" in hosts.names or (host in hosts.names and port == DEFAULT_PORTS[scheme]):
        return tuple(map(str, addresses))
    if not all(map(hosts.reach, addresses)):
        sentence = _(
            "{host} is on a private network or this machine. If that is intended, add {listed} to "
            "PROVIDER_HOSTS in the environment and restart."
        )
        is_usual = port == DEFAULT_PORTS[scheme] or host in answers
        listed = host if is_usual else f"{host}:{port}"
        raise AddressRefused(sentence.format(host=host, listed=listed))
    if scheme == "http" and not all(map(hosts.lists, addresses)):
        raise AddressRefused(_("Use https://: over http:// anybody on the way can read the key."))
    return tuple(map(str, addresses))


def _parts(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        _port = parts.port
    except ValueError:
        raise AddressRefused(_("This is not an address.")) from None
    return parts

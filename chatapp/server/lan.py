"""A trusted network over plain http: the names under which Vitrine is served, and its clients.

The names are those of this machine, so that no other site can lead a browser here under its own
name. Clients must have private addresses, so that a port which a router forwards by mistake serves
nobody.
"""

import socket
from contextlib import suppress
from ipaddress import IPv4Address, ip_address
from typing import Any

from chatapp.server.client_address import address_of_scope
from chatapp.server.early import Refusal

EVERY = "0.0.0.0"
# Routers give the machines of a network names with these endings.
SUFFIXES = ("", ".local", ".lan", ".home.arpa")
# A test address: connecting to it tells which own address is used, and sends nothing.
ELSEWHERE = ("192.0.2.1", 9)
WAY_OUT = "To serve the internet, set DJANGO_ENV=production; see docs/operations.md."
OUTSIDE = Refusal(
    403, "outside", f"This Vitrine serves its own network only. {WAY_OUT}"
)  # Addressed to the person who set Vitrine up, not to people who read pages.


def own_addresses() -> list[str]:
    """Return this machine's IPv4 addresses, beginning with the one that its network uses."""
    addresses = [_outward()]
    with suppress(OSError):
        addresses += [
            str(row[4][0]) for row in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        ]
    return [each for each in dict.fromkeys(addresses) if each and not ip_address(each).is_loopback]


def own_names() -> list[str]:
    name = socket.gethostname().partition(".")[0].lower()
    return [f"{name}{suffix}" for suffix in SUFFIXES]


def reached_at(host: str) -> str:
    """Return the address at which others reach a listener; a browser cannot open 0.0.0.0."""
    return next(iter(own_addresses()), "127.0.0.1") if host == EVERY else host


def fault(host: str) -> str:
    """Say why Vitrine must not serve this address without encryption; empty if it may."""
    try:
        address = IPv4Address(host)
    except ValueError:
        return f"HOST={host}: LAN=1 needs an IPv4 address of this machine, or {EVERY} for all."
    served = own_addresses() if host == EVERY else [str(address)]
    if public := [each for each in served if ip_address(each).is_global]:
        return (
            f"HOST={host}: {public[0]} is a public address, and LAN=1 is for a trusted network, "
            f"without encryption. Name a private one: make run LAN=1 HOST=192.168.1.5. {WAY_OUT}"
        )
    return ""


class OnlyNeighbours:
    """Refuses clients that have a public address."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        inner = OUTSIDE if _is_public(address_of_scope(scope)) else self.application
        await inner(scope, receive, send)


def _is_public(address: str) -> bool:
    try:
        return ip_address(address.partition("/")[0]).is_global
    except ValueError:
        return False  # A client on a unix socket has no IP address.


def _outward() -> str:
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)
        return str(probe.getsockname()[0])
    return ""

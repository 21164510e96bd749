"""Find the address of a request's client: the peer's, or the one that a trusted proxy reports."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Any, TypeAlias

from django.conf import settings
from django.http import HttpRequest

logger = logging.getLogger(__name__)
Address: TypeAlias = IPv4Address | IPv6Address
UNIX = "unix"  # In TRUSTED_PROXIES, this stands for a peer on a unix socket.
LOCAL = "local"  # The address of clients on an untrusted unix socket.
_told: set[str] = set()


@dataclass(frozen=True, slots=True)
class Proxies:
    """The peers whose X-Forwarded-For header is trusted."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    unix: bool = False

    def __contains__(self, hop: Address | None) -> bool:
        if hop is None:
            return self.unix
        return any(hop.version == network.version and hop in network for network in self.networks)


def proxies(raw: str) -> Proxies:
    """Read addresses and networks, separated by commas; `unix` may be one. Raise ValueError."""
    parts = [part.strip() for part in raw.split(",") if part.strip()]
    networks = tuple(ip_network(part) for part in parts if part != UNIX)
    return Proxies(networks, UNIX in parts)


def address_of_request(request: HttpRequest) -> str:
    peer = request.META.get("REMOTE_ADDR", "")
    return _address(peer, request.META.get("HTTP_X_FORWARDED_FOR", ""))


def address_of_scope(scope: Mapping[str, Any]) -> str:
    """Return the client's address for an ASGI scope."""
    peer = (scope.get("client") or ("",))[0]
    return _address(peer or "", _forwarded(scope["headers"]))


def counted_peer(peer: str) -> str:
    """Return the address of a new connection; empty for a trusted proxy, as it has many clients."""
    hop = _parsed(peer)
    return "" if hop in settings.TRUSTED_PROXIES else _counted(hop)


def _forwarded(headers: Iterable[tuple[bytes, bytes]]) -> str:
    return ",".join(
        value.decode("latin-1") for name, value in headers if name == b"x-forwarded-for"
    )


def _address(peer: str, forwarded: str) -> str:
    """Return the rightmost untrusted address: anybody may have written those to the left of it."""
    hop = _parsed(peer)
    if forwarded and hop not in settings.TRUSTED_PROXIES:
        _tell(peer)
    hops = forwarded.split(",") if forwarded else []
    while hops and hop in settings.TRUSTED_PROXIES:
        next_hop = _parsed(_without_port(hops.pop().strip()))
        if next_hop is None:
            break
        hop = next_hop
    return _counted(hop)


def _parsed(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _without_port(text: str) -> str:
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _counted(hop: Address | None) -> str:
    """Count an IPv6 /64 as one address: one home or one machine has all of it."""
    if isinstance(hop, IPv6Address):
        return str(IPv6Network((int(hop), 64), strict=False))
    return str(hop or LOCAL)


def _tell(peer: str) -> None:
    """Log each untrusted peer once, but at most twenty, because forging a header costs nothing."""
    if peer in _told or len(_told) >= 20:
        return
    _told.add(peer)
    logger.warning(
        "%s says for whom it forwards, and is not in TRUSTED_PROXIES: all that comes through it"
        " counts as one address.",
        peer or "A unix socket",
    )

"""The hosts that a tool may reach: names and addresses listed in the environment."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from ipaddress import IPv4Network as Network4
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = Network4 | IPv6Network

NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*(:[0-9]{1,5})?")
NOT_PUBLIC: tuple[Network, ...] = (  # Networks that Python doesn't count as private.
    IPv6Network("64:ff9b::/96"),  # Wraps an IPv4 address (NAT64).
    IPv6Network("64:ff9b:1::/48"),  # NAT64 with a local prefix.
    IPv6Network("::ffff:0:0:0/96"),  # Stateless translation from IPv4.
    IPv6Network("::/96"),  # IPv4-compatible, deprecated.
    IPv6Network("fec0::/10"),  # Local addresses (deprecated).
    IPv6Network("3fff::/20"),  # Addresses for documentation.
    IPv6Network("5f00::/16"),  # Segment routing (SRv6).
    Network4("192.88.99.0/24"),  # 6to4 relay anycast.
)
DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Hosts:
    """The hosts listed. A name is `docs.example.org`, or `docs.example.org:8000` for an unusual
    port.

    A listed address or network is allowed even if it is not public, and on any port.
    """

    names: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.names or self.networks)

    def __str__(self) -> str:
        return ", ".join([*sorted(self.names), *map(str, self.networks)]) or "none"

    def admit(self, scheme: str, host: str, port: int | None) -> bool:
        """Whether a page of this host may be requested at all."""
        if address := _address(host):
            return self.lists(address)
        usual = DEFAULT_PORTS.get(scheme)
        return f"{host}:{port or usual}" in self.names or (
            host in self.names and port in {None, usual}
        )

    def reach(self, address: Address) -> bool:
        """Whether a connection may go to an IP address: it must be public, or listed itself."""
        return self.lists(address) or _is_public(address)

    def lists(self, address: Address) -> bool:
        return any(address in network for network in self.networks)


def parse_hosts(entries: Sequence[str]) -> Hosts:
    """Read a list of hosts. Raise ValueError naming an entry that is neither a name nor an
    address.
    """
    networks = {entry: network for entry in entries if (network := _network(entry))}
    names = [entry.lower() for entry in entries if entry not in networks]
    if wrong := [name for name in names if not NAME.fullmatch(name)]:
        raise ValueError(f"{wrong[0][:80]!r} is not a host name, an address or a network")
    return Hosts(frozenset(names), tuple(networks.values()))


def _is_public(address: Address) -> bool:
    """Whether an address is public. Of an IPv4-mapped or 6to4 address, the IPv4 address in it
    counts.
    """
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address.teredo:
            return False
        if inner:
            return _is_public(inner)
    if any(address in network for network in NOT_PUBLIC):
        return False
    return address.is_global and not address.is_multicast


def _network(entry: str) -> Network | None:
    try:
        return ip_network(entry)
    except ValueError:
        return None


def _address(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None

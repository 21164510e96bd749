"""LAN mode serves a trusted network under this machine's own names, and refuses other clients."""

import socket

import pytest
from asgiref.sync import async_to_sync

from chatapp.server import lan
from chatapp.server.lan import OnlyNeighbours, fault, own_addresses, own_names, reached_at

PUBLIC, PRIVATE = "8.8.8.8", "192.168.1.5"


@pytest.fixture
def addresses(monkeypatch):
    """Return the list of this machine's addresses, which the test may change."""
    found = [PRIVATE]
    monkeypatch.setattr(lan, "own_addresses", lambda: found)
    return found


def test_the_names_are_this_machines_own():
    name = socket.gethostname().partition(".")[0].lower()

    assert own_names() == [name, f"{name}.local", f"{name}.lan", f"{name}.home.arpa"]
    assert not any(address.startswith("127.") for address in own_addresses())


@pytest.mark.parametrize(
    ("host", "reached"),
    [("0.0.0.0", PRIVATE), ("127.0.0.1", "127.0.0.1"), ("10.0.0.9", "10.0.0.9")],
)
def test_it_says_an_address_that_can_be_opened(addresses, host, reached):
    assert reached_at(host) == reached


@pytest.mark.parametrize("host", ["0.0.0.0", PRIVATE, "10.1.2.3", "100.64.0.7"])
def test_a_private_network_may_be_served(addresses, host):
    assert fault(host) == ""


@pytest.mark.parametrize("host", ["0.0.0.0", PUBLIC])
def test_a_public_address_is_refused_with_the_way_out(addresses, host):
    addresses.append(PUBLIC)

    assert fault(host) == (
        f"HOST={host}: 8.8.8.8 is a public address, and LAN=1 is for a trusted network, without "
        "encryption. Name a private one: make run LAN=1 HOST=192.168.1.5. To serve the internet, "
        "set DJANGO_ENV=production; see docs/operations.md."
    )


@pytest.mark.parametrize("host", ["::", "fd00::2", "mybox"])
def test_what_is_no_ipv4_address_is_refused(host):
    assert fault(host).startswith(f"HOST={host}: LAN=1 needs an IPv4 address of this machine")


@pytest.mark.parametrize(
    ("peer", "is_let_in"),
    [
        (PRIVATE, True),
        ("10.0.0.9", True),
        ("127.0.0.1", True),
        ("100.64.0.7", True),
        ("fd00::2", True),
        (PUBLIC, False),
        ("::ffff:8.8.8.8", False),
        ("2001:4860:4860::8888", False),
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_only_private_addresses_are_let_in(peer, is_let_in, kind):
    said = []

    async def inside(scope, receive, send):
        said.append("inside")

    async def send(message):
        said.append(message.get("status") or message["type"])

    scope = {"type": kind, "path": "/chat", "headers": [], "client": (peer, 5)}
    async_to_sync(OnlyNeighbours(inside))(scope, None, send)

    assert (said == ["inside"]) is is_let_in
    assert is_let_in or said[0] in {403, "websocket.close"}

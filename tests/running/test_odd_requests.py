"""Requests that no browser makes get an answer that says so, and do no harm."""

from contextlib import suppress

import httpx
import pytest
from websockets import Origin
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from tests.patience import PATIENCE
from tests.people import Person
from tests.running.raw_connections import answer, connected, handshake, head, memory, rest_of, warm

MOST = 1_048_576 * 6 + 65_536
SAFE = {"x-frame-options": "deny", "x-content-type-options": "nosniff"}
DUPLICATES = "X-Same: a\r\n" * 10_000
HEADERS = {
    "10,000 headers of a name": (DUPLICATES, 400),
    "10,000 cookies": ("Cookie: a=b\r\n" * 10_000, 400),
    "a cookie of 64 kB": (f"Cookie: sessionid={'x' * 65_536}\r\n", 400),
    "a line of 64 kB": (f"X-Long: {'x' * 65_536}\r\n", 400),
    "a vertical tab in a value": ("X-Tab: a\x0bb\r\n", 400),
    "a NUL in a value": ("X-Nul: a\x00b\r\n", 400),
    "a name with a blank": ("X Y: a\r\n", 400),
    "two lengths": ("Content-Length: 1\r\nContent-Length: 2\r\n", 400),
    "a length below zero": ("Content-Length: -1\r\n", 400),
    "a length and chunks": (
        "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        200,
    ),
    "a second host": ("Host: evil.example\r\n", 400),
    "a name with an underscore": ("X_Forwarded_Proto: https\r\n", 200),
    "a host said for us": ("X-Forwarded-Host: evil.example\r\n", 200),
    "another's address": ("X-Forwarded-For: 192.0.2.7, 127.0.0.1\r\n", 200),
    "letters of Latin-1": ("X-Name: \xe4\xff\r\n", 200),
}


@pytest.mark.parametrize(("more", "status"), HEADERS.values(), ids=HEADERS)
def test_odd_headers(served, more, status):
    said = f"GET /healthz HTTP/1.1\r\nHost: {served.address}\r\nConnection: close\r\n{more}\r\n"

    told, headers = answer(served, said.encode("latin-1"))

    assert told == status
    assert SAFE.items() <= headers.items()


@pytest.mark.daily
@pytest.mark.parametrize("host", ["evil.example", "", "127.0.0.1:1:2", "a b", "[::1"])
def test_a_host_that_is_not_ours(served, host):
    said = f"GET /chat HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"

    status, headers = answer(served, said.encode())

    assert status == 400
    assert SAFE.items() <= headers.items()


@pytest.mark.daily
@pytest.mark.parametrize("said", [b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"\r\n\r\nEHLO x\r\n"])
def test_what_is_no_http(served, said):
    status, headers = answer(served, said + b"\r\n\r\n")

    assert status == 400
    assert SAFE.items() <= headers.items()


@pytest.mark.daily
@pytest.mark.parametrize(
    ("path", "origin", "status"),
    [("/nowhere", None, 404), ("/ws", None, 404), ("/ws/x", None, 404), ("/ws/", "http://x", 403)],
)
def test_a_handshake_that_is_refused(served, path, origin, status):
    """A refused origin is logged, since an operator may have to allow it; a wrong path is not."""
    before = served.log.read_text()

    told, headers = answer(served, handshake(served, path=path, origin=origin))

    assert told == status
    assert SAFE.items() <= headers.items()
    more = served.log.read_text().removeprefix(before).splitlines()
    assert len(more) == (1 if origin else 0)
    assert all(f"it came from {origin}" in line for line in more)


def test_a_client_reads_why_its_long_body_is_refused(served, ada):
    """The client is still sending when the answer comes; the server must count a chunked body."""
    warm(ada)
    before = memory(served)

    def pieces():
        for _ in range(200):
            yield b"x" * 655_360

    told = httpx.post(f"{served.url}/api/nowhere", content=pieces(), timeout=PATIENCE)

    assert (told.status_code, told.json()["code"]) == (413, "too_long")
    assert memory(served) - before < 80_000_000


def test_a_refused_body_is_not_read_for_ever(served):
    more = f"Content-Type: text/plain\r\nContent-Length: {MOST + 1}\r\n\r\n"
    with connected(served, head(served, "POST", "/nowhere", more)) as connection:
        heard = rest_of(connection)

    assert heard.startswith(b"HTTP/1.1 413 ")


@pytest.mark.daily
@pytest.mark.parametrize(
    ("size", "code"),
    [(1_048_576, None), (1_048_577, "too_long"), (MOST - 200, "too_long")],
    ids=["the limit", "1 more", "the longest frame"],
)
def test_a_long_message_on_a_socket_is_taken_or_refused(ada, size, code):
    with ada.tab() as tab:
        tab.say(type="send", text="x" * size, agent="oneshot", client_msg_id="0" * 32, query="")
        told = tab.next()

    assert told.get("code") == code
    assert told["type"] == ("error" if code else "ack")


def test_a_frame_beyond_all_limits_closes_its_socket(served, ada):
    with ada.tab() as tab:
        with suppress(ConnectionClosedError):  # The server may close before all is sent.
            tab.socket.send("x" * (MOST + 1))
        with pytest.raises(ConnectionClosedError) as closed:
            tab.next()

    assert closed.value.rcvd.code == 1009
    assert Person(served).open("/healthz").status_code == 200


def test_a_client_reads_why_its_handshake_is_refused(served):
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(f"ws://{served.address}/ws/", origin=Origin("http://evil.example")),
    ):
        pass

    assert refused.value.response.status_code == 403
    assert refused.value.response.body == b"Only this site's own pages may open a socket."

"""The server survives clients that open many connections, and clients that keep it waiting."""

import time

import httpx
import pytest

from tests import data
from tests.patience import PATIENCE, eventually, seconds
from tests.people import Person
from tests.running.raw_connections import (
    STRANGER,
    connected,
    cpu_seconds,
    crowd,
    handshake,
    head,
    memory,
    opened,
    rest_of,
    warm,
)
from tests.servers import AppServer

PROXY = "127.0.0.3"
BODY = "Content-Type: text/plain\r\n"
SLOW = {
    "half a head": ("GET", "X-Half: ye"),
    "half a body": ("POST", f"{BODY}Content-Length: 1000\r\n\r\nhalf"),
    "half a chunk": ("POST", f"{BODY}Transfer-Encoding: chunked\r\n\r\nff\r\nhalf"),
}


def started(migrated, folder, descriptors=None):
    server = AppServer(
        data.copy(migrated, folder), {"CLIENT_SECONDS": "1", "TRUSTED_PROXIES": PROXY}
    )
    server.descriptors = descriptors
    server.start()
    return server


@pytest.fixture(scope="module")
def small(migrated, tmp_path_factory):
    """Run a server that may have at most 256 files and sockets open."""
    server = started(migrated, tmp_path_factory.mktemp("small") / "data", descriptors=256)
    yield server
    server.close()


@pytest.fixture(scope="module")
def hasty(migrated, tmp_path_factory):
    """Run a server with short time limits."""
    server = started(migrated, tmp_path_factory.mktemp("hasty") / "data")
    warm(Person(server))
    yield server
    server.close()


def lines(server):
    return server.log.read_text().count("\n")


def is_served(server):
    return httpx.get(f"{server.url}/healthz", timeout=PATIENCE).status_code == 200


def test_a_low_limit_is_said_at_the_start(small):
    said = "Only 256 files may be open, so only 128 people can be connected. Raise the limit"

    assert small.log.read_text().count(said) == 1


@pytest.mark.parametrize("address", [STRANGER, PROXY])
def test_idle_connections_beyond_the_limit_keep_nobody_out(small, address):
    before, began, worked = lines(small), time.monotonic(), cpu_seconds(small)
    with crowd(small, 300, address=address) as connections:
        served = [is_served(small) for _ in range(5)]
        told = [rest_of(connection) for connection in connections]
        elapsed = time.monotonic() - began

    assert served == [True] * 5
    assert set(told) == {b""}
    assert cpu_seconds(small) - worked < 0.5 + elapsed / 2
    assert lines(small) - before <= 1
    assert "Too many open files" not in small.log.read_text()


@pytest.mark.parametrize(("method", "more"), SLOW.values(), ids=SLOW)
def test_a_slow_request_ends_by_itself(hasty, method, more):
    before = opened(hasty)
    said = head(hasty, method, "/healthz", more)
    with crowd(hasty, 200, said) as connections:
        assert is_served(hasty)
        told = [rest_of(connection) for connection in connections]

    assert {heard.partition(b"\r\n")[0] for heard in told} == {b"HTTP/1.1 408 Request Timeout"}
    assert all(b"\r\nx-frame-options: DENY\r\n" in heard for heard in told)
    assert all(heard.endswith(b"\r\n\r\nThe request did not arrive in time.") for heard in told)
    assert eventually(lambda: opened(hasty) <= before + 2)


def test_silence_ends_by_itself_and_is_answered_by_nothing(hasty):
    with crowd(hasty, 200) as connections:
        assert is_served(hasty)
        assert {rest_of(connection) for connection in connections} == {b""}


def test_a_body_that_drips_ends_by_itself(hasty):
    """A byte now and then keeps a connection alive, but a body has a time limit in total, too."""
    said = head(hasty, "POST", "/healthz", f"{BODY}Content-Length: 1000\r\n\r\n")
    began = time.monotonic()
    with connected(hasty, said) as connection:
        connection.settimeout(0.5)
        heard = b""
        while not heard and time.monotonic() < began + PATIENCE:
            connection.sendall(b"x")
            try:
                heard = connection.recv(65_536)
            except TimeoutError:
                continue

    assert heard.startswith(b"HTTP/1.1 408 ")
    assert time.monotonic() - began > 11


def test_a_body_in_pieces_is_waited_for(hasty):
    """The whole body takes longer than the two seconds for which the server allows silence."""
    more = f"{BODY}Connection: close\r\nContent-Length: 9\r\n\r\n"
    with connected(hasty, head(hasty, "POST", "/nowhere", more)) as it:
        for _ in range(9):
            time.sleep(0.3)
            it.sendall(b"x")
        heard = rest_of(it)

    assert heard.startswith(b"HTTP/1.1 404 ")


def test_answers_that_nobody_takes_end_by_themselves(hasty):
    """The answers fill all buffers between server and client."""
    said = head(hasty, path="/static/vendor/htmx-4.0.1.min.js", more="\r\n")
    before = opened(hasty)
    with connected(hasty, said * 500):
        assert eventually(lambda: opened(hasty) > before)
        assert eventually(lambda: opened(hasty) <= before)


def test_requests_far_ahead_of_their_answers_are_cut_off(hasty):
    said, before = head(hasty, more="\r\n"), memory(hasty)
    with connected(hasty) as connection, pytest.raises(ConnectionError):
        connection.sendall(said * 1_000_000)

    assert memory(hasty) - before < 50_000_000
    assert is_served(hasty)


def test_a_socket_whose_client_is_gone_is_dropped_by_its_ping(hasty):
    """A client whose cable was pulled sends nothing more, not even that it is gone."""
    cookies = Person(hasty).cookies
    with connected(hasty, handshake(hasty, cookies)) as connection:
        began = time.monotonic()
        heard = rest_of(connection)
        elapsed = time.monotonic() - began

    assert heard.startswith(b"HTTP/1.1 101 ")
    assert b"keepalive ping timeout" in heard
    assert 3 < elapsed < seconds(30)


def test_idle_sockets_cost_little_and_leave_nothing(hasty):
    cookies = Person(hasty).cookies
    files, before = opened(hasty), memory(hasty)
    with crowd(hasty, 25, handshake(hasty, cookies), address="127.0.0.1") as connections:
        for connection in connections:
            assert connection.recv(65_536).startswith(b"HTTP/1.1 101 ")
        each = (memory(hasty) - before) / len(connections)

    assert each < 1_000_000
    assert eventually(lambda: opened(hasty) <= files + 2)

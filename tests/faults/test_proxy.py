"""The proxy does to connections what its methods say, and nothing to other connections."""

import socket
import threading
import time

import pytest

from tests.faults.proxy import Manner, Proxy
from tests.patience import PATIENCE


@pytest.fixture
def echo():
    """Run a server that returns every byte; yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_accept, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def _accept(listener):
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_say_back, args=(connection,), daemon=True).start()


def _say_back(connection):
    with connection:
        try:
            while data := connection.recv(65_536):
                connection.sendall(data)
        except OSError:
            pass


@pytest.fixture
def proxy(echo):
    with Proxy([echo], seed=3) as proxy:
        yield proxy


def called(proxy):
    connection = socket.create_connection(("127.0.0.1", proxy.port), PATIENCE)
    assert said_back(connection, b"hello") == b"hello"
    return connection


def said_back(connection, data):
    connection.sendall(data)
    heard = b""
    while len(heard) < len(data) and (piece := connection.recv(65_536)):
        heard += piece
    return heard


def test_bytes_travel_unchanged(proxy):
    data = bytes(range(256)) * 4_000

    with called(proxy) as connection:
        assert said_back(connection, data[:200_000]) == data[:200_000]


def test_an_end_of_one_side_leaves_the_other_way_open(proxy):
    with called(proxy) as connection:
        connection.sendall(b"last words")
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(10, socket.MSG_WAITALL) == b"last words"
        assert connection.recv(1) == b""


def test_a_cut_is_an_end(proxy):
    with called(proxy) as connection:
        assert proxy.cut() == 1
        assert connection.recv(1) == b""


def test_a_reset_is_a_broken_line(proxy):
    with called(proxy) as connection:
        assert proxy.reset() == 1
        with pytest.raises(ConnectionResetError):
            connection.recv(1)


def test_as_many_are_broken_as_it_is_told_and_the_others_go_on(proxy):
    connections = [called(proxy) for _ in range(5)]
    assert proxy.cut(2) == 2

    alive = [bool(said_back(connection, b"still there?")) for connection in connections]

    assert sorted(alive) == [False, False, True, True, True]
    assert (proxy.broken, proxy.links) == (2, 3)
    for connection in connections:
        connection.close()


def test_the_seed_chooses(echo):
    def chosen(seed):
        with Proxy([echo], seed) as proxy:
            return [proxy._chance.randrange(100) for _ in range(5)]

    assert chosen(1) == chosen(1) != chosen(2)


def test_what_is_frozen_arrives_once_it_thaws(proxy):
    with called(proxy) as connection:
        with proxy.frozen():
            connection.sendall(b"later")
            connection.settimeout(0.3)
            with pytest.raises(TimeoutError):
                connection.recv(1)
        connection.settimeout(PATIENCE)
        assert connection.recv(5) == b"later"


@pytest.mark.parametrize(
    ("manner", "least"),
    [
        pytest.param(Manner(delay=0.2), 0.4, id="delayed, there and back"),
        pytest.param(Manner(piece=1, delay=0.01), 0.4, id="byte by byte"),
        pytest.param(Manner(rate=100), 0.6, id="slowly"),
    ],
)
def test_bytes_take_their_time(proxy, manner, least):
    data = b"forty bytes that take some of their time"
    with called(proxy) as connection, proxy.behaving(manner):
        began = time.monotonic()
        assert said_back(connection, data) == data
        assert time.monotonic() - began > least


def test_a_server_that_is_not_there_ends_the_connection():
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    with (
        Proxy([port]) as proxy,
        socket.create_connection(("127.0.0.1", proxy.port), PATIENCE) as connection,
    ):
        assert connection.recv(1) == b""


def test_what_is_swallowed_is_lost_without_a_word_and_new_connections_are_not(proxy):
    with called(proxy) as dead:
        proxy.swallow()
        dead.sendall(b"anybody?")
        called(proxy).close()
        dead.settimeout(0)

        with pytest.raises(BlockingIOError):
            dead.recv(1)

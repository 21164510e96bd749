"""Vitrine listens on its own port, or on a socket that was opened for it."""

import errno
import os
import socket

import pytest
from django.core.management import CommandError

from chatapp.server.listening import listen, take_over


@pytest.fixture
def opened():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "::", "example.org"])
def test_local_mode_serves_this_machine_alone(host):
    with pytest.raises(CommandError) as refusal:
        listen(host, 0)

    assert str(refusal.value) == (
        f"HOST={host}: local mode serves this machine alone, 127.0.0.1. "
        "To serve a trusted network: make run LAN=1. "
        "To serve others, set DJANGO_ENV=production."
    )


def test_production_may_serve_others(settings):
    settings.PRODUCTION = True

    with listen("0.0.0.0", 0) as listener:
        assert listener.getsockname()[0] == "0.0.0.0"


def test_a_taken_port_is_a_sentence_with_the_way_out(opened):
    port = opened.getsockname()[1]
    with pytest.raises(CommandError) as refusal:
        listen("127.0.0.1", port)

    assert str(refusal.value) == (
        f"Vitrine cannot listen on 127.0.0.1, port {port}: "
        f"[Errno {errno.EADDRINUSE}] {os.strerror(errno.EADDRINUSE)}. "
        "If another program has the port, perhaps another Vitrine, choose one that is free: "
        f"make run PORT={port + 1}"
    )


def test_a_socket_that_is_open_already_is_taken_over(opened):
    with take_over(os.dup(opened.fileno())) as listener:
        assert listener.getsockname() == opened.getsockname()
        assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_local_mode_takes_over_no_socket_for_others():
    with socket.create_server(("0.0.0.0", 0)) as other, pytest.raises(CommandError) as refusal:
        take_over(os.dup(other.fileno()))

    assert str(refusal.value).startswith("HOST=0.0.0.0: local mode serves this machine alone")


def unbound():
    return socket.socket().detach()


def of_datagrams():
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).detach()


def in_the_file_system():
    return socket.socket(socket.AF_UNIX).detach()


def a_file():
    return os.open(os.devnull, os.O_RDONLY)


def nothing():
    return 9_999


@pytest.mark.parametrize(
    "make", [unbound, of_datagrams, in_the_file_system, a_file, nothing], ids=lambda f: f.__name__
)
def test_what_is_no_listening_socket_is_refused_by_name(make):
    descriptor = make()

    with pytest.raises(CommandError) as refusal:
        take_over(descriptor)

    assert str(refusal.value) == (
        f"--fd {descriptor}: this is not a TCP socket with an address. "
        "systemd passes its first socket as descriptor 3."
    )
    if make is not nothing:
        os.close(descriptor)

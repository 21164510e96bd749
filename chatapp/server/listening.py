"""The socket on which Vitrine listens: its own, or one that another program opened for it."""

import socket
from ipaddress import ip_address

from django.conf import settings
from django.core.management.base import CommandError

from chatapp.server import lan


def listen(host: str, port: int) -> socket.socket:
    """Bind the socket at once, to find out that a port is taken before anything else is done."""
    _refuse_others(host)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise CommandError(_why_not(host, port, error)) from error
    return _without_delay(listener)


def take_over(descriptor: int) -> socket.socket:
    """Take over a socket that a service manager keeps open, so that no client is refused at a
    restart.

    A socket that cannot be used is left open.
    """
    listener = _opened(descriptor)
    host, port = listener.getsockname()[:2] if _is_tcp(listener) else ("", 0)
    try:
        if not port:
            raise CommandError(_no_socket(descriptor))
        _refuse_others(host)
    except CommandError:
        listener.detach()
        raise
    return _without_delay(listener)


def _opened(descriptor: int) -> socket.socket:
    try:
        return socket.socket(fileno=descriptor)
    except OSError as error:
        raise CommandError(_no_socket(descriptor)) from error


def _is_tcp(listener: socket.socket) -> bool:
    families = {socket.AF_INET, socket.AF_INET6}
    return listener.family in families and listener.type == socket.SOCK_STREAM


def _without_delay(listener: socket.socket) -> socket.socket:
    """Disable Nagle's algorithm for the socket's connections, which asyncio does only for sockets
    of its own. Otherwise a frame that follows another waits 40 ms for an acknowledgement.
    """
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _refuse_others(host: str) -> None:
    if settings.PRODUCTION or _is_loopback(host):
        return
    if not settings.LAN:
        raise CommandError(
            f"HOST={host}: local mode serves this machine alone, 127.0.0.1. "
            "To serve a trusted network: make run LAN=1. "
            "To serve others, set DJANGO_ENV=production."
        )
    if why := lan.fault(host):
        raise CommandError(why)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _why_not(host: str, port: int, error: Exception) -> str:
    return (
        f"Vitrine cannot listen on {host}, port {port}: {error}. If another program has the "
        f"port, perhaps another Vitrine, choose one that is free: make run PORT={port + 1}"
    )


def _no_socket(descriptor: int) -> str:
    return (
        f"--fd {descriptor}: this is not a TCP socket with an address. "
        "systemd passes its first socket as descriptor 3."
    )

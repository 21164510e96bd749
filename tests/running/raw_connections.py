"""Open connections and send bytes; read how much memory and how many files the server uses."""

import base64
import os
import socket
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.patience import PATIENCE

STRANGER = "127.0.0.2"
HEAD = "{} {} HTTP/1.1\r\nHost: {}\r\n"
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    f"Sec-WebSocket-Key: {base64.b64encode(b'0' * 16).decode()}\r\n"
)


def head(server, method="GET", path="/healthz", more=""):
    """Return the head of a request, without the blank line that ends it."""
    return (HEAD.format(method, path, server.address) + more).encode()


def handshake(server, cookies="", path="/ws/", origin=None):
    more = f"{UPGRADE}Origin: {origin or server.url}\r\nCookie: {cookies}\r\n\r\n"
    return head(server, path=path, more=more)


@contextmanager
def connected(server, said=b"", address="127.0.0.1"):
    host, _, port = server.address.partition(":")
    with socket.create_connection((host, int(port)), PATIENCE, (address, 0)) as connection:
        connection.sendall(said)
        yield connection


@contextmanager
def crowd(server, count, said=b"", address=STRANGER):
    """Open this many connections, each of which sends only `said`."""
    with ExitStack() as stack:
        yield [stack.enter_context(connected(server, said, address)) for _ in range(count)]


def rest_of(connection):
    """Read everything until the server closes the connection."""
    connection.settimeout(PATIENCE)
    heard = b""
    try:
        while piece := connection.recv(65_536):
            heard += piece
    except ConnectionError:
        pass
    return heard


def answer(server, said):
    """Send `said`; return the answer's status, and its headers in lower case."""
    with connected(server, said) as connection:
        told = rest_of(connection)
    lines = told.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    status = int(lines[0].split()[1])
    return status, dict(line.lower().split(": ", 1) for line in lines[1:])


def warm(person):
    """Get one answer, so that the server has loaded everything that it needs for answers."""
    with person.tab() as tab:
        tab.ask("Hello", agent="demo")


def memory(server):
    """Return the server's resident memory in bytes."""
    pages = Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def opened(server):
    """Count the server's open files and sockets, without SQLite's. Each thread keeps its own
    database connection, and the number of threads depends on the load.
    """
    return sum("sqlite3" not in each for each in map(_target, _descriptors(server)))


def _descriptors(server):
    return Path(f"/proc/{server.process.pid}/fd").iterdir()


def _target(descriptor):
    try:
        return str(descriptor.readlink())
    except FileNotFoundError:  # It was closed meanwhile.
        return ""


def cpu_seconds(server):
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

"""Find a free loopback port for a server that must open the port by itself."""

import socket


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])

"""The configuration of uvicorn, with as many files and sockets as the system allows."""

import logging
import resource
from functools import partial
from typing import Any

import uvicorn
from django.conf import settings

from chatapp.server.connections import Connections
from chatapp.server.protocols import HttpProtocol, Patience, SocketProtocol

logger = logging.getLogger(__name__)
ENOUGH = 1_024
MOST = 65_536  # With more, some systems use resources for each file that might be open.


def raise_limit() -> int:
    """Raise the soft limit on open files as far as this process may, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    if limit < ENOUGH:
        logger.warning(
            "Only %d files may be open, so only %d people can be connected. Raise the limit: "
            "LimitNOFILE= of the systemd service, or ulimit -n.",
            limit,
            connections_of(limit),
        )
    return limit


def connections_of(limit: int) -> int:
    """Give clients half of the open files; databases, files and providers need the others."""
    return limit // 2


def accepted_at_once(limit: int) -> int:
    """Return how many connections asyncio may accept in one turn of its event loop.

    Too many connections are noticed, and closed, only a few turns later.
    """
    return min(128, max(8, limit // 16))


def configuration() -> uvicorn.Config:
    seconds = settings.CLIENT_SECONDS
    descriptors = raise_limit()
    connections = Connections(connections_of(descriptors))
    patience = Patience(head=seconds, silence=2 * seconds, body=12 * seconds)
    http: Any = partial(HttpProtocol, connections=connections, patience=patience)
    ws: Any = partial(SocketProtocol, connections=connections)
    return uvicorn.Config(
        settings.ASGI_APPLICATION.replace(".application", ":application"),
        http=http,
        ws=ws,
        ws_max_size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        ws_ping_interval=2 * seconds,
        ws_ping_timeout=2 * seconds,
        backlog=accepted_at_once(descriptors),
        # The work for a request may outlive its connection.
        limit_concurrency=2 * connections.most,
        # A request fails if it comes just as its connection is closed.
        timeout_keep_alive=6 * seconds,
        lifespan="on",
        # Without a limit, an open stream would keep the process alive after SIGTERM.
        timeout_graceful_shutdown=3,
        log_config=None,
        access_log=False,
        server_header=False,
        # uvicorn's own proxy headers would trust any peer here; TRUSTED_PROXIES decides instead.
        proxy_headers=False,
    )

"""How uvicorn serves Vitrine."""

from functools import partial
from typing import Any

import uvicorn
from django.conf import settings

from chatapp.server.connections import Connections
from chatapp.server.descriptors import accepted_at_once, connections_of, raise_limit
from chatapp.server.protocols import HttpProtocol, Patience, SocketProtocol


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
        limit_concurrency=2 * connections.most,  # Work may outlive the connection it was for.
        lifespan="on",
        timeout_graceful_shutdown=3,  # Or an open stream keeps the process alive after SIGTERM.
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # Or uvicorn trusts any peer on this machine; TRUSTED_PROXIES decides.
    )

"""The server's door: pages, sockets, and the process's own start and end."""

from typing import Any

from django.core.asgi import get_asgi_application

from chatapp import env

env.use_settings("chatapp.settings")
pages = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402 -- needs the app registry
from django.urls import path  # noqa: E402

from chatapp import lifespan as process  # noqa: E402
from chatapp.consumers import ChatConsumer  # noqa: E402
from chatapp.origins import OwnOrigin  # noqa: E402


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Uvicorn's start and stop; at the stop the sockets are closed already."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            try:
                await process.startup()
            except Exception as error:
                await send({"type": "lifespan.startup.failed", "message": str(error)})
                return
            await send({"type": "lifespan.startup.complete"})
        else:
            await process.shutdown()
            await send({"type": "lifespan.shutdown.complete"})
            return


socket = path("ws/", ChatConsumer.as_asgi())  # type: ignore[arg-type]  # as Channels has it
application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": OwnOrigin(URLRouter([socket])),  # type: ignore[list-item]  # as Channels has it
        "lifespan": lifespan,
    }
)

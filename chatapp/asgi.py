"""The server's entry point: it connects pages, sockets, and the process's start and end."""

from typing import Any

from django.core.asgi import get_asgi_application

from chatapp import env

env.use_settings("chatapp.settings")
pages = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402 -- needs the app registry
from django.conf import settings  # noqa: E402

from chatapp.process import lifespan as process  # noqa: E402
from chatapp.server.early import BoundedBodies, Refusal, SafeHeaders  # noqa: E402
from chatapp.server.fairness import FairQueue  # noqa: E402
from chatapp.server.lan import OnlyNeighbours  # noqa: E402
from chatapp.server.origins import OwnOrigin  # noqa: E402
from chatapp.socket.consumer import ChatConsumer  # noqa: E402

chat = ChatConsumer.as_asgi()
nothing = Refusal(404, "not_found", "There is no socket at this address.")


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Handle uvicorn's start and stop events; at the stop, all sockets are closed already."""
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


async def sockets(scope: Any, receive: Any, send: Any) -> None:
    inner: Any = chat if scope["path"] == "/ws/" else nothing
    await inner(scope, receive, send)


UPLOADS = {
    **dict.fromkeys(("/attachments", "/api/attachments"), settings.MAX_UPLOAD_BYTES),
    **dict.fromkeys(("/imports", "/api/imports"), settings.MAX_IMPORT_BYTES + 65_536),
}
bounded = BoundedBodies(pages, settings.DATA_UPLOAD_MAX_MEMORY_SIZE, UPLOADS)
pages_and_all, every_socket = FairQueue(SafeHeaders(bounded)), FairQueue(OwnOrigin(sockets))
application = ProtocolTypeRouter(
    {
        "http": OnlyNeighbours(pages_and_all) if settings.LAN else pages_and_all,
        "websocket": OnlyNeighbours(every_socket) if settings.LAN else every_socket,
        "lifespan": lifespan,
    }
)

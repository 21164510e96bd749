"""Count a body as it arrives: Django would write all of it to the disk before it looks."""

from collections.abc import Mapping
from typing import Any

from chatapp.server.early import Refusal


class BoundedBodies:
    """Answers 413 to a longer body at any address, declared or in chunks."""

    def __init__(self, application: Any, most: int) -> None:
        self.application = application
        self.most = most
        sentence = f"The request is too large. The limit is {most:,} bytes."
        self.refusal = Refusal(413, "too_long", sentence)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = _Body(receive, self.most)
        if _declared(scope) <= self.most:
            await self.application(scope, body.receive, send)
        if body.is_too_long or _declared(scope) > self.most:
            await self.refusal(scope, receive, send)


class _Body:
    """Makes an overlong body look to the application like a lost connection, so that it drops
    what it has and sends no answer.
    """

    def __init__(self, receive: Any, most: int) -> None:
        self._receive = receive
        self._left = most
        self.is_too_long = False

    async def receive(self) -> Any:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        self.is_too_long = self._left < 0
        return {"type": "http.disconnect"} if self.is_too_long else message


def _declared(scope: Mapping[str, Any]) -> int:
    """Return the Content-Length, which uvicorn lets through as digits only."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)

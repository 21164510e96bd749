"""Delay the requests of a client that sends many at once, and not other people's."""

import asyncio
from contextlib import ExitStack
from typing import Any
from weakref import WeakValueDictionary

from chatapp.server.client_address import address_of_scope

AT_ONCE = 8  # Requests that one address may begin at once.
SECONDS = 0.25  # What takes longer waits for something else, such as a model: it delays nobody.


class FairQueue:
    """An ASGI application that begins a few requests of one address at a time, in order.

    A request makes room for the next when its answer begins, or after this many seconds.
    """

    def __init__(self, application: Any, at_once: int = AT_ONCE, seconds: float = SECONDS) -> None:
        self._application = application
        self._at_once = at_once
        self._seconds = seconds
        self._gates: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        fresh = asyncio.Semaphore(self._at_once)
        gate = self._gates.setdefault(address_of_scope(scope), fresh)
        await gate.acquire()
        place = ExitStack()  # Closing it again does nothing: a place is given up once.
        place.callback(gate.release)
        timer = asyncio.get_running_loop().call_later(self._seconds, place.close)

        async def send_on(message: Any) -> None:
            place.close()
            await send(message)

        try:
            await self._application(scope, receive, send_on)
        finally:
            timer.cancel()
            place.close()

"""Delay the requests of a client that sends many at once, but not those of other clients."""

import asyncio
from contextlib import ExitStack
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from chatapp.server.client_address import address_of_scope

SAFE = frozenset({"GET", "HEAD"})


class Share(NamedTuple):
    """How many requests one address may begin at once, and after how many seconds a request no
    longer delays the next.
    """

    at_once: int
    seconds: float


READS = Share(2, 1)  # Requests for pages and API reads keep a processor or the database busy.
# Other requests that are slow wait for something, such as a model or a body.
OTHERS = Share(8, 0.25)


class FairQueue:
    """An ASGI application that begins only a few requests of one address at a time, in order.

    A request makes room for the next when its answer begins, or after the seconds of its share.
    """

    def __init__(self, application: Any, reads: Share = READS, others: Share = OTHERS) -> None:
        self._application = application
        self._reads, self._others = reads, others
        self._gates: WeakValueDictionary[tuple[str, Share], asyncio.Semaphore] = (
            WeakValueDictionary()
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        share = self._reads if scope.get("method") in SAFE else self._others
        fresh = asyncio.Semaphore(share.at_once)
        gate = self._gates.setdefault((address_of_scope(scope), share), fresh)
        await gate.acquire()
        place = ExitStack()  # Closing the place a second time does nothing, so it is given up once.
        place.callback(gate.release)
        timer = asyncio.get_running_loop().call_later(share.seconds, place.close)

        async def send_on(message: Any) -> None:
            place.close()
            await send(message)

        try:
            await self._application(scope, receive, send_on)
        finally:
            timer.cancel()
            place.close()

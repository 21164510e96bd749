"""Delay the requests of a client that sends many at once, and not other people's."""

import asyncio
from contextlib import ExitStack
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from chatapp.server.client_address import address_of_scope

SAFE = frozenset({"GET", "HEAD"})


class Share(NamedTuple):
    """How many requests one address may begin at once, and the seconds after which one of them no
    longer delays the next.
    """

    at_once: int
    seconds: float


READS = Share(2, 1)  # Pages and API reads: they keep a processor or the database busy.
OTHERS = Share(8, 0.25)  # Slow ones wait for something else, such as a model or a body.


class FairQueue:
    """An ASGI application that begins a few requests of one address at a time, in order.

    A request makes room for the next when its answer begins, or after its share's seconds.
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
        place = ExitStack()  # Closing it again does nothing: a place is given up once.
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

"""How a worker runs: it takes jobs until it is told to stop, and then lets its answers end."""

import asyncio
import signal
from collections.abc import Callable

from chatapp.llm import warming
from chatapp.process import jobs, lifespan
from chatapp.process.draining import draining, end_at_last

TICK_SECONDS = 0.1
END_SECONDS = 5.0  # How many seconds the taking of jobs may need to end.


class Working:
    """A worker. After SIGTERM it lets its answers end; after a second SIGTERM, or Ctrl+C, it stops
    at once.

    Any thread may call `stop`.
    """

    def __init__(self, announce: Callable[[], None]) -> None:
        self._announce = announce
        self._told = asyncio.Event()
        self._is_hurried = False
        self._loop: asyncio.AbstractEventLoop | None = None

    def stop(self) -> None:
        """Stop soon, without waiting for any answer."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._tell, signal.SIGINT)

    async def run(self) -> None:
        """Work until somebody tells the worker to stop."""
        self._loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(number, self._tell, number)
        await lifespan.startup(serves=False)
        await warming.begin()
        taking = asyncio.create_task(jobs.take(), name="jobs")
        self._announce()
        await self._told.wait()
        taking.cancel()
        await asyncio.wait([taking], timeout=END_SECONDS)
        while not self._is_hurried and not draining.is_over():  # noqa: ASYNC110 -- several kinds of events end it
            await asyncio.sleep(TICK_SECONDS)
        end_at_last()
        await lifespan.shutdown()

    def _tell(self, number: int) -> None:
        self._is_hurried |= self._told.is_set() or number == signal.SIGINT
        self._told.set()

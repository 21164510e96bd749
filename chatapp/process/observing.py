"""Metrics and spans of this process for an operator's programs, unless they are switched off."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from django.conf import settings
from django.db import connections

from chatapp.about.parts import version
from chatapp.env.telemetry import Telemetry
from chatapp.generation import supervisor
from chatapp.generation.queue import answer_queue
from chatapp.live.viewers import viewers
from chatapp.telemetry import event_loop, metrics, spans
from chatapp.telemetry.listener import MetricsListener

LAST_SECONDS = 3.0  # How many seconds the process may take to send the last spans.


class Observing:
    """Exports metrics and spans while the process runs."""

    def __init__(self) -> None:
        self._listener: MetricsListener | None = None
        self._watching: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Begin to export. Raise OSError if the port for metrics is taken."""
        telemetry: Telemetry = settings.TELEMETRY
        if address := telemetry.metrics_address:
            watch_gauges()
            self._listener = MetricsListener(address, telemetry.metrics_token)
            self._watching = asyncio.create_task(event_loop.watch(), name="event loop's lag")
        if telemetry.collector:
            from chatapp.telemetry.exporter import Exporter  # noqa: PLC0415 -- an optional package

            spans.recorders[:] = [Exporter(telemetry.service, version())]

    async def end(self) -> None:
        """Send the remaining spans, and stop counting."""
        if self._watching and self._listener:
            self._watching.cancel()
            await asyncio.to_thread(self._listener.close)
        while spans.recorders:
            closing = asyncio.to_thread(spans.recorders.pop().close)
            with suppress(TimeoutError):
                await asyncio.wait_for(closing, LAST_SECONDS)


def watch_gauges() -> None:
    """Give each gauge the function that reads it; threads of the listener call these functions."""
    metrics.BUILD.watch(lambda: 1, version())
    metrics.SOCKETS.watch(lambda: sum(1 for _ in viewers))
    metrics.OPEN.watch(lambda: len(supervisor.all_here()), "running")
    metrics.OPEN.watch(lambda: len(answer_queue.waiting), "waiting")
    metrics.POOL_WAITING.watch(partial(_of_pool, lambda pool: pool.get("requests_waiting", 0)))
    if connections["default"].vendor == "postgresql":
        metrics.POOL.watch(partial(_of_pool, lambda pool: pool["pool_available"]), "idle")
        metrics.POOL.watch(
            partial(_of_pool, lambda pool: pool["pool_size"] - pool["pool_available"]), "used"
        )


def _of_pool(read: Callable[[dict[str, int]], float]) -> float:
    connection: Any = connections["default"]
    if connection.vendor != "postgresql" or not connection.pool:
        return 0
    return read(connection.pool.get_stats())


observing = Observing()

"""Measure the event loop's lag: whatever keeps the loop busy makes everybody wait."""

import asyncio

from chatapp.telemetry.metrics import LAG_SECONDS

PERIOD = 0.5


async def watch() -> None:
    """Measure the lag again and again, as long as the process lives."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + PERIOD
        await asyncio.sleep(PERIOD)
        LAG_SECONDS.observe(max(0.0, loop.time() - due))

"""The lag of the event loop: whatever keeps the loop busy keeps everybody waiting."""

import asyncio

from chatapp.telemetry.metrics import LAG_SECONDS

PERIOD = 0.5


async def watch() -> None:
    """Measure the lag for as long as the process lives."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + PERIOD
        await asyncio.sleep(PERIOD)
        LAG_SECONDS.observe(max(0.0, loop.time() - due))

"""Retry writes that must not be lost for as long as the database fails.

A conversation is busy until the end of its answer is stored: giving up would leave it so.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import TypeVar

from chatapp.databases.refusals import refusal_in

logger = logging.getLogger(__name__)
T = TypeVar("T")
PAUSES = (0.5, 1.0, 2.0)  # Seconds; the last one repeats.
_line = asyncio.Lock()


async def insist(work: Callable[[], Awaitable[T]], what: str) -> T:
    """Return the work's result. After a first failure it retries alone, while other work waits."""
    try:
        return await work()
    except Exception as error:
        if not refusal_in(error):
            raise
    async with _line:
        return await _again(work, what)


async def _again(work: Callable[[], Awaitable[T]], what: str) -> T:
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        try:
            return await work()
        except Exception as error:
            if not (refusal := refusal_in(error)):
                raise
            logger.warning("%s is not stored yet, next try in %g s: %s", what, pause, refusal)
        await asyncio.sleep(pause)
    raise AssertionError("the pauses never end")

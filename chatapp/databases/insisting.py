"""What must be stored is tried again for as long as the database refuses it.

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
PAUSES = (0.5, 1.0, 2.0)  # Seconds; the last again and again.
_line = asyncio.Lock()


async def insist(work: Callable[[], Awaitable[T]], what: str) -> T:
    """Its result. Once one piece of work was refused, it alone tries again; the others wait."""
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

"""Waiting for what must not be left half done."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Its result. A task that is cancelled meanwhile ends only once the work is done."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


def fault_of(task: asyncio.Task[None] | None) -> BaseException | None:
    """What it raised; None where it raised nothing, or has not ended."""
    return task.exception() if task and task.done() and not task.cancelled() else None

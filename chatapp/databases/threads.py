"""Database work of the event loop's own tasks: a few threads that keep their connections.

On PostgreSQL a pool keeps them, and a thread gives its own back after each call. Channels and
`sync_to_async` would put all of it on one thread, or open a connection for each call. What must not
be left half done is waited for to its end.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
T = TypeVar("T")
THREADS = 4

_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="database")


async def in_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that uses the ORM. Cancelling the caller does not undo what it writes."""
    return await asyncio.get_running_loop().run_in_executor(
        _executor, lambda: _run(function, *args, **kwargs)
    )


def _run(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return function(*args, **kwargs)
    finally:
        give_back()


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


def give_back() -> None:
    """Let others have this thread's connection to PostgreSQL, unless a transaction needs it.

    Whoever waits for anything but the database does so first: the threads here need connections
    of the same pool to end that wait.
    """
    connection = connections["default"]
    if connection.vendor != "sqlite" and not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


async def close_connections() -> None:
    """Let go of every thread's connection and of the pool, at the end of the process."""
    all_here = Barrier(THREADS)

    def close() -> None:
        all_here.wait(timeout=10)  # One call on each thread, not several on one.
        connections.close_all()

    await asyncio.gather(*(in_database(close) for _ in range(THREADS)))
    connection: Any = connections["default"]
    if connection.vendor == "postgresql":
        connection.close_pool()

"""Database work for the event loop's tasks: a few threads that keep their connections.

On PostgreSQL a pool keeps them, and a thread returns its own after each call. Channels and
`sync_to_async` would put everything on one thread, or open a connection for each call. Work that
must not be left half done is awaited to its end.
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
    """Return the work's result. A task that is cancelled meanwhile ends only once the work is
    done.
    """
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


def fault_of(task: asyncio.Task[None] | None) -> BaseException | None:
    """Return what the task raised; None if it raised nothing or has not ended."""
    return task.exception() if task and task.done() and not task.cancelled() else None


def give_back() -> None:
    """Return this thread's connection to PostgreSQL's pool, unless a transaction needs it.

    Call this before waiting for anything but the database: the threads here may need connections of
    the same pool before that wait can end.
    """
    connection = connections["default"]
    if connection.vendor != "sqlite" and not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


async def close_connections() -> None:
    """Close every thread's connection and the pool, at the end of the process."""
    all_here = Barrier(THREADS)

    def close() -> None:
        all_here.wait(timeout=10)  # One call on each thread, not several on one.
        connections.close_all()

    await asyncio.gather(*(in_database(close) for _ in range(THREADS)))
    connection: Any = connections["default"]
    if connection.vendor == "postgresql":
        connection.close_pool()

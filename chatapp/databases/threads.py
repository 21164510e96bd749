"""Run database work for the event loop's tasks in a few threads that keep their connections.

For PostgreSQL a pool keeps the connections, and a thread returns its own after each call. Channels
and `sync_to_async` would put all work on one thread, or open a connection for each call. Work that
must not be left half done is awaited to its end, and a write that must not be lost is retried for
as long as the database fails.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from itertools import chain, repeat
from threading import Barrier
from time import monotonic, perf_counter
from typing import Any, ParamSpec, TypeAlias, TypeVar

from django.db import connections

from chatapp.databases.refusals import locked_in, refusal_in
from chatapp.telemetry.metrics import DATABASE_SECONDS, DATABASE_WAIT_SECONDS

logger = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
Refused: TypeAlias = Callable[[BaseException], BaseException | None]
THREADS = 4
PAUSES = (0.5, 1.0, 2.0)  # Seconds between tries of the same work; the last pause repeats.
# How long an answer outlasts refusals. A generation whose heartbeats are missing for longer than
# `HEARTBEAT_LIMIT` counts as abandoned, so this is less.
REFUSED_SECONDS = 60.0

_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="database")
_line = asyncio.Lock()


async def in_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that uses the ORM. Cancelling the caller does not stop one that has begun."""
    work: Callable[[], T] = partial(_run, function, *args, **kwargs)
    if DATABASE_SECONDS.is_on:
        work = partial(_measured, perf_counter(), work)
    work = partial(copy_context().run, work)  # Keep context variables, such as the turn's person.
    return await asyncio.get_running_loop().run_in_executor(_executor, work)


def _measured(request_time: float, work: Callable[[], T]) -> T:
    start = perf_counter()
    DATABASE_WAIT_SECONDS.observe(start - request_time)
    try:
        return work()
    finally:
        DATABASE_SECONDS.observe(perf_counter() - start)


def _run(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return function(*args, **kwargs)
    finally:
        give_back()


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Return the work's result. A cancelled caller still waits until the work is done."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


async def insist(work: Callable[[], Awaitable[T]], what: str, refused: Refused = refusal_in) -> T:
    """Return the result of the work, which is retried for as long as the database refuses it.

    Only one piece of work is retried at a time; others wait for their turn. Giving up would lock a
    conversation, which stays busy until the end of its answer is stored.
    """
    try:
        return await work()
    except Exception as error:
        if not refused(error):
            raise
    async with _line:
        return await _again(work, what, refused)


async def unlocked(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Write as `in_database` does, and retry for as long as another connection locks the SQLite
    file.

    After other refusals there is no retry: they may come after the write, which would then be made
    twice.
    """
    work: Callable[[], Awaitable[T]] = partial(in_database, function, *args, **kwargs)
    return await insist(work, function.__name__, locked_in)


async def repeatable(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Read or write as `in_database` does; retry while the SQLite file is locked, and for
    `REFUSED_SECONDS` after other refusals.

    A refusal may come after the write, so the function must notice if it has written already.
    """
    deadline = monotonic() + REFUSED_SECONDS

    def refused(error: BaseException) -> BaseException | None:
        return refusal_in(error) if monotonic() < deadline else locked_in(error)

    work: Callable[[], Awaitable[T]] = partial(in_database, function, *args, **kwargs)
    return await insist(work, function.__name__, refused)


async def _again(work: Callable[[], Awaitable[T]], what: str, refused: Refused) -> T:
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        try:
            return await work()
        except Exception as error:
            if not (refusal := refused(error)):
                raise
            logger.warning("The database refused %s, next try in %g s: %s", what, pause, refusal)
        await asyncio.sleep(pause)
    raise AssertionError("the pauses never end")


def give_back() -> None:
    """Return this thread's connection to PostgreSQL's pool, unless a transaction needs it.

    Call this before a wait for anything but the database: the other side may itself need a
    connection from the pool.
    """
    connection = connections["default"]
    if connection.vendor != "sqlite" and not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


async def close_connections() -> None:
    """Close the connections of all threads and the pool, when the process ends."""
    all_here = Barrier(THREADS)

    def close() -> None:
        all_here.wait(timeout=10)  # While the first calls wait here, no thread can take two.
        connections.close_all()

    await asyncio.gather(*(in_database(close) for _ in range(THREADS)))
    connection: Any = connections["default"]
    if connection.vendor == "postgresql":
        connection.close_pool()

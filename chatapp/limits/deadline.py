"""A deadline that bounds many short waits, one after another."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

T = TypeVar("T")


class Deadline:
    """Bounds one wait at a time, with a single timer for all waits: an `asyncio.timeout` for each
    token would take a tenth of a stream's time. Times are those of the event loop's clock.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._until = self._looks_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: asyncio.Task[Any] | None = None  # Whoever waits now.
        self._has_passed = False

    async def bound(self, work: Awaitable[T], until: float) -> T:
        """Return the result of the work. Raise TimeoutError if it is not ready by the deadline."""
        task: asyncio.Task[Any] | None = asyncio.current_task()
        assert task is not None
        others = task.cancelling()
        self.move(until)
        self._waiting, self._has_passed = task, False
        try:
            return await work
        except asyncio.CancelledError as cancelled:
            # Whoever else cancels the task has to be obeyed.
            if self._has_passed and task.cancelling() <= others + 1:
                raise TimeoutError from cancelled
            raise
        finally:
            self._waiting = None
            if self._has_passed:
                task.uncancel()

    def move(self, until: float) -> None:
        """Move the deadline of the present wait. Because most deadlines are moved again and again,
        the timer looks for a later one only when it fires.
        """
        self._until = until
        if self._timer is not None and self._looks_at > until:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._set_timer()

    def _set_timer(self) -> None:
        self._looks_at = self._until
        self._timer = self._loop.call_at(self._until, self._look)

    def _look(self) -> None:
        self._timer = None
        if self._loop.time() < self._until:
            self._set_timer()
        elif self._waiting is not None and not self._has_passed:
            self._has_passed = True
            self._waiting.cancel()

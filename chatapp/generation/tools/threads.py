"""Threads for tools: a few, and never more, however many tools do not come back."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class ToolThreads(Generic[T]):
    """Runs functions in threads, at most so many at once; the others wait in order.

    A thread cannot be stopped, so one that nobody waits for any more still counts. It does not
    keep the process from ending, as those of an executor would.
    """

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: deque[tuple[Future[T], Callable[[], T]]] = deque()
        self._lock = Lock()

    def submit(self, function: Callable[[], T]) -> Future[T]:
        """Cancelling the future keeps the function from running, if it has not begun."""
        future: Future[T] = Future()
        with self._lock:
            self._waiting.append((future, function))
            if self._free:
                self._free -= 1
                Thread(target=self._work, name="tool", daemon=True).start()
        return future

    def _work(self) -> None:
        """Until nothing waits."""
        while job := self._next():
            future, function = job
            if future.set_running_or_notify_cancel():
                _settle(future, function)

    def _next(self) -> tuple[Future[T], Callable[[], T]] | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._free += 1
            return None


def _settle(future: Future[T], function: Callable[[], T]) -> None:
    try:
        future.set_result(function())
    except BaseException as error:
        future.set_exception(error)

"""A fixed number of threads for tools, however many tools never return."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class ToolThreads(Generic[T]):
    """Runs functions in a limited number of threads; the others wait in order.

    A thread cannot be stopped, so an abandoned one still counts. Unlike an executor's, it does not
    keep the process from ending.
    """

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: deque[tuple[Future[T], Callable[[], T]]] = deque()
        self._lock = Lock()

    def submit(self, function: Callable[[], T]) -> Future[T]:
        """Queue a function. Cancelling the future prevents it from running, if it has not begun."""
        future: Future[T] = Future()
        with self._lock:
            self._waiting.append((future, function))
            if self._free:
                self._free -= 1
                Thread(target=self._work, name="tool", daemon=True).start()
        return future

    def _work(self) -> None:
        """Work until nothing waits."""
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

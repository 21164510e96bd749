"""A pool of threads for slow work. Each thread needs one of the shared places."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from chatapp.limits.sharing import SharedPlaces, working_for

T = TypeVar("T")


class FairPool(Generic[T]):
    """A pool with at most as many threads as places, even if some of its work never returns.

    A thread cannot be stopped, so an abandoned one keeps its place. Unlike an executor's thread, it
    does not keep the process from ending.
    """

    def __init__(self, places: SharedPlaces) -> None:
        self._places = places
        self._open: set[Future[T]] = set()
        self._lock = Lock()

    def submit(self, function: Callable[[], T], who: str | None = None) -> Future[T]:
        """Queue a function on behalf of `who`, by default the person for whom the caller works.
        Cancelling the future prevents the function from running if it has not begun.
        """
        whose = working_for.get() if who is None else who
        future: Future[T] = Future()
        with self._lock:
            self._open.add(future)
        work = partial(self._work, whose, future, function)
        thread = Thread(target=work, name=self._places.name, daemon=True)
        self._places.ask(whose, thread.start)
        return future

    def shutdown(self) -> None:
        """Cancel the work that still waits, and wait for the rest to end."""
        with self._lock:
            left = list(self._open)
        wait([future for future in left if not future.cancel()])

    def _work(self, who: str, future: Future[T], function: Callable[[], T]) -> None:
        try:
            if future.set_running_or_notify_cancel():
                _settle(future, function)
        finally:
            with self._lock:
                self._open.discard(future)
            self._places.leave(who)


def _settle(future: Future[Any], function: Callable[[], Any]) -> None:
    try:
        future.set_result(function())
    except BaseException as error:
        future.set_exception(error)

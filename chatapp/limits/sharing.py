"""Shared places limit everybody's work: first come, first served, but never all for one person."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from threading import Event, Lock
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _

from chatapp.databases.threads import give_back
from chatapp.limits.spending import TooMany
from chatapp.telemetry.metrics import REFUSALS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SOON = 2  # Seconds after which it makes sense to try again.
# The person or the address for whom this code is working.
working_for: ContextVar[str] = ContextVar("working_for", default="")


class PlaceRequest:
    """A request for a place. When a place is free, `begin` is called."""

    def __init__(self, who: str, begin: Callable[[], object]) -> None:
        self.who, self.begin = who, begin


class SharedPlaces:
    """At most `most` places in this process, of which one person has at most `own`. Work beyond a
    person's share waits as long as it must, and other people's work goes ahead of it.
    """

    def __init__(self, name: str, *, most: int, own: int) -> None:
        if not 0 < own < most:
            raise ValueError(f"{name}: one person's share must leave a place to others")
        self.name, self.most, self.own = name, most, own
        self._held: Counter[str] = Counter()
        self._waiting: list[PlaceRequest] = []
        self._lock = Lock()

    def ask(self, who: str, begin: Callable[[], object]) -> PlaceRequest:
        """Call `begin` once a place is free, now or later. The caller must `leave` afterwards."""
        request = PlaceRequest(who, begin)
        with self._lock:
            self._waiting.append(request)
        self._give()
        return request

    def enter(self, who: str) -> bool:
        """Take a place if one is free now, and return whether it was."""
        came = Event()
        request = self.ask(who, came.set)
        return not self._withdraw(request)

    def leave(self, who: str) -> None:
        with self._lock:
            self._held[who] -= 1
            if not self._held[who]:
                del self._held[who]
        self._give()

    @contextmanager
    def waited(self, who: str) -> Iterator[None]:
        """Hold a place. Waiting for one blocks the thread, so nobody should wait for the thread."""
        came = Event()
        self.ask(who, came.set)
        came.wait()
        try:
            yield
        finally:
            self.leave(who)

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[None]:
        """Hold a place within the block, without blocking the event loop."""
        loop = asyncio.get_running_loop()
        came: asyncio.Future[None] = loop.create_future()
        request = self.ask(who, partial(loop.call_soon_threadsafe, _settle, came))
        try:
            await came
        except asyncio.CancelledError:
            if not self._withdraw(request):
                self.leave(who)
            raise
        try:
            yield
        finally:
            self.leave(who)

    def _withdraw(self, request: PlaceRequest) -> bool:
        """Take a request out of the line. Return False if it has been given a place by now."""
        with self._lock, suppress(ValueError):
            self._waiting.remove(request)
            return True
        return False

    def _give(self) -> None:
        while request := self._next():
            request.begin()

    def _next(self) -> PlaceRequest | None:
        """Take a place for the first in the line whose person has not used up their share."""
        with self._lock:
            if self._held.total() >= self.most:
                return None
            for request in self._waiting:
                if self._held[request.who] < self.own:
                    self._waiting.remove(request)
                    self._held[request.who] += 1
                    return request
            return None


class Patience(NamedTuple):
    """Limits on waiting: how many requests of one person may wait beyond their share, and how many
    seconds any request may wait.
    """

    line: int
    seconds: float


class RequestPlaces(SharedPlaces):
    """Places for requests, which never wait for long. Requests beyond a person's share and the line
    are refused at once, with a sentence.
    """

    def __init__(
        self, name: str, sentence: "StrOrPromise", *, most: int, own: int, patience: Patience
    ) -> None:
        super().__init__(name, most=most, own=own)
        self.sentence, self.patience = sentence, patience

    @contextmanager
    def held(self, who: str) -> Iterator[None]:
        """Hold a place within the block. Raise TooMany if there is none in time."""
        came = Event()
        request = self._joined(who, came.set)
        if not came.is_set():
            give_back()
        if not came.wait(self.patience.seconds) and self._withdraw(request):
            raise self._refusal(_("Many people are doing this right now."))
        try:
            yield
        finally:
            self.leave(who)

    def _joined(self, who: str, begin: Callable[[], object]) -> PlaceRequest:
        """Join the line. Raise TooMany if the person's share and line are used up."""
        request = PlaceRequest(who, begin)
        with self._lock:
            waiting = sum(other.who == who for other in self._waiting)
            if self._held[who] + waiting >= self.own + self.patience.line:
                raise self._refusal(str(self.sentence))
            self._waiting.append(request)
        self._give()
        return request

    def _refusal(self, sentence: str) -> TooMany:
        REFUSALS.count(self.name)
        return TooMany(sentence, SOON)


def _settle(came: "asyncio.Future[None]") -> None:
    if not came.done():
        came.set_result(None)

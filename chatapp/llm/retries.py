"""How long a provider may take, and when to retry a failed request."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from django.utils.translation import gettext_lazy as _

from chatapp.limits.deadline import Deadline
from chatapp.llm.chunks import Delta, Reading
from chatapp.llm.errors import ErrorKind, ProviderError, was_sent
from chatapp.llm.streams.tally import Tally
from history.core.wire.request import WireRequest

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

T = TypeVar("T")
MOST = 3  # The most attempts at one request, including the first.
LONGEST_PAUSE = 5.0  # In seconds; a person decides about any longer wait.
NO_START = _("The model didn't start answering within {n} s.")
SILENT = _("The model sent nothing for {n} s.")
TOO_LONG = _("The model took longer than {n} s in total.")
ADVICE = _("Retry, or choose a faster model.")


@dataclass(slots=True)
class Attempts:
    """The attempts at a request: how many were `made`, how many are allowed (`most`), what was
    `sent`, and how the answer is read and counted.
    """

    made: int = 0
    most: int = MOST
    sent: list[WireRequest] = field(default_factory=list, compare=False)
    reading: Reading | None = field(default=None, compare=False)
    tally: Tally | None = field(default=None, compare=False)

    def count(self, tally: Tally) -> None:
        """Keep the counts of the newest answer."""
        self.tally = tally

    def have_left(self, failed: Exception | None, *, is_open: bool) -> bool:
        """Return whether anybody may have received a request. The recorded ones tell; if none was
        recorded, a stream that `is_open` does, or the error by which it failed.
        """
        if self.sent:
            return any(request.left for request in self.sent)
        return is_open or (failed is not None and was_sent(failed))

    def held(self) -> Iterator[Delta]:
        """Yield text that was held back when an answer was stopped before its end."""
        return self.reading.rest() if self.reading else iter(())

    def pause_after(self, error: ProviderError, first_pause: float) -> float | None:
        """Return the seconds to wait before the next attempt; None if none is to follow."""
        wait = error.retry_after
        if self.made >= self.most or (wait is not None and wait > LONGEST_PAUSE):
            return None
        if error.kind == ErrorKind.RATE_LIMITED:
            return wait
        if error.kind in {ErrorKind.UNREACHABLE, ErrorKind.OVERLOADED}:
            return wait if wait is not None else first_pause * 2 ** (self.made - 1)
        return None


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long to wait, in seconds: for the first chunk, between two chunks, and for all attempts
    together. `retry_pause` doubles with each attempt.
    """

    first_token: float = 60.0
    idle: float = 60.0
    total: float = 600.0
    retry_pause: float = 0.5


class Timer:
    """Holds a request to its deadlines. The `ProviderError` says which of them has passed.

    Each sign of life restarts the present wait, but not the total.
    """

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines
        self._clock = asyncio.get_running_loop().time
        self._end = self._clock() + deadlines.total
        self._deadline = Deadline()
        self.attempt()

    def attempt(self) -> None:
        """Start an attempt, which may wait for its first chunk anew, but within the total time."""
        self._set(self._deadlines.first_token, NO_START)

    def alive(self) -> None:
        """Note a sign of life, which restarts the present wait."""
        self._set(*self._awaited)
        self._deadline.move(self._until)

    async def opened(self, opening: Awaitable[T]) -> T:
        """Await the opening of a stream; its time counts as a wait for the first chunk."""
        try:
            return await self._deadline.bound(opening, self._until)
        except TimeoutError:
            raise self._late() from None

    async def following(self, chunks: AsyncIterator[Any]) -> Any:
        """Return the next chunks, or None at the end of the stream."""
        try:
            chunk = await self._deadline.bound(anext(chunks, None), self._until)
        except TimeoutError:
            raise self._late() from None
        self._set(self._deadlines.idle, SILENT)
        return chunk

    def _set(self, seconds: float, reason: "StrPromise") -> None:
        self._awaited = (seconds, reason)
        self._until = min(self._clock() + seconds, self._end)

    def _late(self) -> ProviderError:
        seconds, reason = self._awaited
        if self._until == self._end:
            seconds, reason = self._deadlines.total, TOO_LONG
        sentence = reason.format(n=f"{seconds:g}")
        return ProviderError(ErrorKind.TIMEOUT, f"{sentence} {ADVICE}")

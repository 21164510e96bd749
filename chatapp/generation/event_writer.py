"""One writer for the events of all generations that this process runs.

If each generation wrote its own events, each would need several transactions a second, and spend
most of the time waiting, because the database has only one writer at a time. Together they share
one transaction.
"""

import asyncio
import logging
from collections.abc import Callable
from contextvars import Context
from time import monotonic

from chatapp.databases.refusals import locked_in, refusal_in
from chatapp.databases.threads import REFUSED_SECONDS, in_database
from chatapp.live.event_stream import EventStream
from chatapp.telemetry import metrics
from history.models import Generation
from history.services.answers import lifecycle as stored
from history.services.answers.lifecycle import Batch, Fenced

logger = logging.getLogger(__name__)
FLUSH_SECONDS = 0.2
HEARTBEAT_SECONDS = 10.0
PAUSE_SECONDS = 1.0  # The pause before the writer begins again after an error of its own.


class EventKeeper:
    """Holds a generation's events for the writer. `fault` is the error that ended writing."""

    def __init__(
        self, generation: Generation, stream: EventStream, failed: Callable[[], None]
    ) -> None:
        self.generation = generation
        self.stream = stream
        self.fault: Exception | None = None
        self.failed = failed
        self._written_at = monotonic()
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def is_due(self) -> bool:
        """Whether it is time to write a batch. Writing is also the generation's heartbeat, so now
        and then an empty batch is written.
        """
        return bool(self.stream.unlogged) or monotonic() - self._written_at >= HEARTBEAT_SECONDS

    def take(self) -> Batch:
        """Take the next batch. Until `put_back` it counts as being written."""
        self._idle.clear()
        return self.generation, self.stream.unlogged

    def note_written(self, count: int) -> None:
        self.stream.note_logged(count)
        self._written_at = monotonic()

    def put_back(self) -> None:
        self._idle.set()

    async def settled(self) -> None:
        """Wait until the writer is not at work on a batch of this generation."""
        await self._idle.wait()


class EventWriter:
    """Writes the events of all generations that it keeps."""

    def __init__(self) -> None:
        self._keepers: set[EventKeeper] = set()
        self._writing: asyncio.Task[None] | None = None
        self._refused_at: float | None = None  # When the database first refused after a success.

    def keep(
        self, generation: Generation, stream: EventStream, failed: Callable[[], None]
    ) -> EventKeeper:
        """Write a generation's events from now on; call `failed` once if that fails."""
        keeper = EventKeeper(generation, stream, failed)
        self._keepers.add(keeper)
        if self._writing is None or self._writing.done():
            self._begin()
        return keeper

    def leave(self, keeper: EventKeeper) -> None:
        """Write no more batches, and report no failure. A batch that was taken is still written."""
        self._keepers.discard(keeper)

    def _begin(self, pause: float = 0) -> None:
        self._refused_at = None
        all_turns = Context()  # An empty one, not that of the turn that starts the task.
        self._writing = asyncio.create_task(
            self._write(pause), name="event writer", context=all_turns
        )
        self._writing.add_done_callback(self._go_on)

    def _go_on(self, ended: asyncio.Task[None]) -> None:
        """Begin again after an error of the writer itself: without its heartbeats, every answer of
        this process would soon count as abandoned.
        """
        if ended is self._writing and not ended.cancelled() and (fault := ended.exception()):
            logger.error("The event writer failed, and begins again", exc_info=fault)
            self._begin(PAUSE_SECONDS)

    async def _write(self, pause: float) -> None:
        await asyncio.sleep(pause)
        while self._keepers:
            await asyncio.sleep(FLUSH_SECONDS)
            if due := [keeper for keeper in self._keepers if keeper.is_due]:
                await self._flush(due)

    async def _flush(self, due: list[EventKeeper]) -> None:
        """Write the batches of all generations together; if that fails, write each batch alone, so
        that no batch can make the others fail. While somebody else has locked the SQLite file, or
        for `REFUSED_SECONDS` after another refusal, all batches wait for the next round.
        """
        try:
            await self._store(due)
        except Exception as fault:
            metrics.FLUSHES.count("failed")
            if refusal := self._may_pass(fault):
                return logger.warning("Events are not stored yet: %s", refusal)
            if len(due) == 1:
                return self._fail(due[0], fault)
            for keeper in due:
                if keeper in self._keepers:
                    await self._flush([keeper])

    def _may_pass(self, fault: Exception) -> BaseException | None:
        """Return the refusal after which writing is tried again."""
        if not (refusal := refusal_in(fault)):
            return None
        self._refused_at = self._refused_at or monotonic()
        is_over = monotonic() - self._refused_at >= REFUSED_SECONDS
        return locked_in(fault) if is_over else refusal

    async def _store(self, due: list[EventKeeper]) -> None:
        """Write a batch of each generation that is due."""
        batches = [keeper.take() for keeper in due]
        start = monotonic()
        try:
            lost = await in_database(stored.log_batches, batches)
            for keeper, (_, events) in zip(due, batches, strict=True):
                keeper.note_written(len(events))
        finally:
            for keeper in due:
                keeper.put_back()
        self._refused_at = None
        metrics.FLUSHES.count("ok")
        metrics.FLUSH_SECONDS.observe(monotonic() - start)
        metrics.EVENTS.count(amount=sum(len(events) for _, events in batches))
        for keeper in due:
            if keeper.generation.pk in lost:
                self._fail(keeper, Fenced())

    def _fail(self, keeper: EventKeeper, fault: Exception) -> None:
        keeper.fault = fault
        if keeper in self._keepers:
            self.leave(keeper)
            keeper.failed()


event_writer = EventWriter()

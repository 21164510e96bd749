"""End a run: in the database first, then for viewers."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from chatapp.databases.refusals import refusal_in
from chatapp.databases.threads import in_database, insist
from chatapp.generation import events
from chatapp.generation.failures import Failure, failure_of, unstored
from chatapp.generation.tools.loop import ToolLoop
from chatapp.live.event_stream import EventStream
from history.core.storable import storable
from history.models import Generation, GenerationStatus
from history.services.answers import lifecycle as stored
from history.services.answers.lifecycle import Event, Fenced

logger = logging.getLogger(__name__)


class Ending:
    """The end of one run, or its pause, after everything else is done."""

    def __init__(
        self,
        generation: Generation,
        stream: EventStream,
        tools: ToolLoop,
        show: Callable[[Event], None],
    ) -> None:
        self.generation = generation
        self.stream = stream
        self.tools = tools
        self._show = show

    async def finish(
        self,
        log: asyncio.Task[None],
        status: GenerationStatus,
        error: Failure | None,
        text: str,
    ) -> None:
        """End the run. `text` is what no message contains yet.

        A run that cannot be shown as waiting has failed, because nobody could decide about it.
        """
        self.stream.close()
        await asyncio.gather(log, return_exceptions=True)
        if status == GenerationStatus.WAITING:
            try:
                return await self._pause()
            except Fenced:
                return None
            except Exception as fault:
                status, error = GenerationStatus.FAILED, failure_of(fault, self.generation.pk)
        await self.end(status, error, text)

    async def _pause(self) -> None:
        """Store that it waits before telling anybody."""
        await self.stream.settled()
        data = await in_database(events.waiting, self.generation)
        event = self.stream.next_event("waiting", data)
        await in_database(stored.pause, self.generation, [*self.stream.unlogged, event])
        self._show(event)

    async def end(
        self, status: GenerationStatus, error: Failure | None = None, text: str = ""
    ) -> None:
        """Store the end before telling anybody."""
        store = partial(self._stored_end, status, error, text)
        if not await insist(store, f"The end of generation {self.generation.pk}"):
            return
        await self.stream.settled()
        if not self.stream.events and not self.stream.seq:
            await self._tell("started", events.started)
        await self._tell("end", events.ended)
        try:
            await in_database(stored.log_end, self.generation, self.stream.unlogged)
        except Exception:  # Later viewers get the page, which has the whole answer.
            logger.exception("The last events of generation %s are not stored", self.generation.pk)

    async def _stored_end(self, status: GenerationStatus, error: Failure | None, text: str) -> bool:
        """Store the end; if that is impossible, store it without its text, as failed."""
        try:
            await self.tools.answer_open(status)
            return await in_database(stored.end, self.generation, status, storable(text), error)
        except Exception as fault:
            if refusal_in(fault):  # It takes the whole of it later.
                raise
            why = unstored(fault, self.generation.pk)
            return await in_database(
                stored.end, self.generation, GenerationStatus.FAILED, error=why
            )

    async def _tell(self, kind: str, read: Callable[[Generation], dict[str, Any]]) -> None:
        """Announce the end; if the answer cannot be rendered, ask the page to reload."""
        try:
            data = await in_database(read, self.generation)
        except Exception:
            logger.exception("Generation %s ended, and cannot be shown", self.generation.pk)
            data = {"html": "", "status": self.generation.status, "words": 0}
        self.stream.emit(kind, **data)

"""Run one generation, whether or not anybody looks on: claim, plan, stream, tools, store, end."""

import asyncio
import logging
import socket
from contextlib import aclosing, suppress
from functools import partial
from time import perf_counter
from uuid import uuid4

from django.conf import settings

from chatapp.databases.threads import fault_of, in_database, insist, to_its_end
from chatapp.generation import events, records, summaries
from chatapp.generation.ending import (
    EMPTY,
    EMPTY_THOUGHT,
    Ending,
    Failure,
    failure_of,
    still_too_long,
    too_many_rounds,
    unstored,
)
from chatapp.generation.response import Response
from chatapp.generation.tools import dispatch, other_agents
from chatapp.generation.tools.loop import ToolLoop, WaitsForApproval
from chatapp.generation.usage import settle
from chatapp.live.event_stream import EventStream
from chatapp.live.viewers import event_frame, viewers
from chatapp.llm import client
from chatapp.llm.chunks import Chunk, TextDelta
from chatapp.llm.errors import ErrorKind, ProviderError
from chatapp.llm.reasoning.deltas import ReasoningDelta
from chatapp.llm.reasoning.families import family_of
from chatapp.llm.retries import Attempts
from history.core.messages import ToolCall
from history.models import Generation, GenerationStatus
from history.services.answers import lifecycle as stored
from history.services.answers.lifecycle import Event, Fenced
from history.services.planning.planning import TIGHTER

logger = logging.getLogger(__name__)
OWNER = f"{socket.gethostname()[:20]}:{uuid4().hex[:12]}"  # Process ids may repeat.
NAME = f"vitrine {OWNER}"  # Of this process's connections to PostgreSQL.


class Runner:
    """A generation while this process runs it; `running` starts those that it delegates."""

    def __init__(self, generation: Generation, running: other_agents.GenerationStarter) -> None:
        self.generation = generation
        self.conversation_id = generation.conversation_id
        self.resumes = generation.started is not None
        self.stream = EventStream(self._show, self._log, generation.seq if self.resumes else 0)
        self.tools = ToolLoop(generation, self.stream, running)
        self.ending = Ending(generation, self.stream, self.tools, self._show)
        self.cancelled_as = GenerationStatus.INTERRUPTED
        self.response = Response(settings.MAX_ANSWER_BYTES)
        self.percent = 100  # Of the budget.
        self.task: asyncio.Task[None] | None = None
        self.log: asyncio.Task[None] | None = None

    def cancel(self, status: GenerationStatus) -> None:
        if self.task is not None:
            self.cancelled_as = status
            self.task.cancel()

    async def run(self) -> None:
        if not await self._claimed():
            return
        self.log = log = asyncio.create_task(self.stream.keep_log())
        log.add_done_callback(self._log_ended)
        status, error = await self._outcome()
        log.remove_done_callback(self._log_ended)  # The end must not be cancelled.
        said = self.response.said
        await to_its_end(self.ending.finish(log, status, error, said))
        if self.generation.status == GenerationStatus.DONE:
            summaries.after(self.generation)

    async def _claimed(self) -> bool:
        """Claim it; if it was cancelled before, it ends as it is."""
        claim = partial(in_database, stored.claim, self.generation, OWNER)
        try:
            return await insist(claim, f"The start of generation {self.generation.pk}")
        except asyncio.CancelledError:
            await to_its_end(self.ending.end(self.cancelled_as))
            return False

    async def _outcome(self) -> tuple[GenerationStatus, Failure | None]:
        """Run to the end, whatever that is."""
        try:
            return await self._whole(), None
        except asyncio.CancelledError:
            return self._cancelled()
        except Fenced:
            return GenerationStatus.INTERRUPTED, None
        except Exception as error:
            return GenerationStatus.FAILED, failure_of(error, self.generation.pk)

    async def _whole(self) -> GenerationStatus:
        """Do all that can be done now."""
        try:
            if self.resumes:
                await self._resume()
            else:
                self.stream.emit("started", **await in_database(events.started, self.generation))
                await self._steps(0, 0)
        except WaitsForApproval:
            return GenerationStatus.WAITING
        return GenerationStatus.DONE

    def _cancelled(self) -> tuple[GenerationStatus, Failure | None]:
        """Handle a cancellation: by a person, by a shutdown, or because the event log failed."""
        fault = fault_of(self.log)
        if fault is None or isinstance(fault, Fenced):
            return self.cancelled_as, None
        return GenerationStatus.FAILED, unstored(fault, self.generation.pk)

    async def _resume(self) -> None:
        """Go on after a person has decided about all pending calls."""
        begun = await in_database(records.begun, self.generation)
        self.percent = begun.percent
        self.response = Response(max(0, settings.MAX_ANSWER_BYTES - begun.bytes))
        self.stream.emit("resumed")
        await self.tools.resume(begun.step)
        await self._steps(begun.step, begun.rounds)

    async def _steps(self, step: int, rounds: int) -> None:
        for _round in range(rounds, settings.TOOL_ROUNDS):
            step, calls = await self._round(step + 1)
            if not calls:
                return self._refuse_empty()
            await self._use_tools(step, calls)
        raise too_many_rounds(settings.TOOL_ROUNDS)

    async def _round(self, step: int) -> tuple[int, tuple[ToolCall, ...]]:
        """Answer a step, or the next one if the provider found this one too long.

        That happens once in a generation; what follows keeps to the tighter budget.
        """
        try:
            return step, await self._planned(step)
        except ProviderError as refusal:
            if refusal.kind != ErrorKind.CONTEXT_TOO_LONG or self.response.has_begun:
                raise
            if self.percent == TIGHTER:
                model = self.generation.snapshot_at()["agent"]["model"]
                raise still_too_long(model, TIGHTER) from refusal
        self.percent = TIGHTER
        return await self._round(step + 1)

    async def _planned(self, step: int) -> tuple[ToolCall, ...]:
        prepared = await in_database(records.prepare_step, self.generation, step, self.percent)
        self.stream.emit("plan", **prepared.event)
        return await self._request(prepared)

    def _refuse_empty(self) -> None:
        if not self.response.text.strip():
            raise ProviderError("empty", str(EMPTY_THOUGHT if self.response.reasoning else EMPTY))

    async def _request(self, prepared: records.PreparedStep) -> tuple[ToolCall, ...]:
        """Send one request and stream it to the viewers; its outcome is always stored."""
        family = family_of(prepared.request.model)
        self.response = response = Response(self.response.room, family)
        started, error, attempts = perf_counter(), None, Attempts()
        try:
            async with aclosing(client.stream(prepared.request, attempts=attempts)) as chunks:
                async for chunk in chunks:
                    self._take(chunk, perf_counter() - started)
        except ProviderError as refusal:
            error = {"kind": refusal.kind, "message": refusal.message}
            raise
        finally:
            with suppress(ProviderError):  # It only says that no more fits.
                for chunk in attempts.held():
                    self._take(chunk, perf_counter() - started)
            outcome = response.outcome(perf_counter() - started, attempts.made, error)
            settling = in_database(settle, prepared.record, outcome, response.said, attempts.sent)
            await asyncio.shield(settling)
        return response.assembler.calls()

    def _take(self, chunk: Chunk, seconds: float) -> None:
        """Keep a chunk, and pass it on to the viewers."""
        self.response.take(chunk, seconds)
        thoughts = self.response.thoughts
        if thoughts.ends_with(chunk):
            self.stream.emit("thought", ms=thoughts.took_ms)
        match chunk:
            case TextDelta(text):
                self.stream.text(text)
            case ReasoningDelta(text):
                self.stream.thinking(text)

    async def _use_tools(self, step: int, asked: tuple[ToolCall, ...]) -> None:
        """Store the request for tools, then the results, in the order of the calls.

        Raise `WaitsForApproval` if a person must decide about some; the others are done by then.
        """
        note = dispatch.note_of(self.response.assembler.left_out)
        self.stream.end_step()
        box = await self.tools.toolbox(step)
        places = frozenset(n for n, c in enumerate(asked) if box.needs_approval(c))
        questions = records.CallsToApprove(places, note)
        await to_its_end(self._store_calls(step, asked, questions))
        free = [call for place, call in enumerate(asked) if place not in places]
        await self.tools.run(free, box, "" if places else note)
        if places:
            raise WaitsForApproval

    async def _store_calls(
        self, step: int, asked: tuple[ToolCall, ...], questions: records.CallsToApprove
    ) -> None:
        said = self.response.said
        await self.tools.store(step, said, asked, questions)
        self.response = Response(self.response.room)

    def _show(self, event: Event) -> None:
        frame = event_frame(self.conversation_id, self.generation.pk, event)
        viewers.show(self.conversation_id, frame)

    async def _log(self, events: list[Event]) -> None:
        await in_database(stored.log_events, self.generation, events)

    def _log_ended(self, log: asyncio.Task[None]) -> None:
        """End the run if its log cannot be written: it is fenced, or the database fails."""
        if fault_of(log) is not None and self.task is not None:
            self.task.cancel()

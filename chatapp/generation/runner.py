"""Run one generation, whether or not anybody looks on: claim, plan, stream, tools, store, end."""

import asyncio
import logging
import socket
from uuid import uuid4

from django.conf import settings

from chatapp.databases.threads import in_database, insist, repeatable, to_its_end
from chatapp.generation import advising, events, follow_ups, records, summaries
from chatapp.generation.asking import AnswerGone, Requests, forget_responses
from chatapp.generation.ending import (
    Ending,
    Failure,
    failure_of,
    measured,
    refuse_empty,
    too_many_rounds,
    unstored,
)
from chatapp.generation.event_writer import EventKeeper, event_writer
from chatapp.generation.reading.response import Response
from chatapp.generation.tools import dispatch, other_agents
from chatapp.generation.tools.loop import ToolLoop, WaitsForApproval
from chatapp.limits.sharing import working_for
from chatapp.live.event_stream import EventStream
from chatapp.live.viewers import event_frame, reload_frame, viewers
from history.core.transcript.messages import ToolCall
from history.models import Conversation, Generation, GenerationStatus
from history.services.access import person_of
from history.services.answers import lifecycle as stored
from history.services.answers.background import can_be_left, take_up, unfinished
from history.services.answers.lifecycle import Event, Fenced
from history.services.answers.so_far import NOTHING

logger = logging.getLogger(__name__)
OWNER = f"{socket.gethostname()[:20]}:{uuid4().hex[:12]}"  # Random, since process ids repeat.
NAME = f"vitrine {OWNER}"  # Names this process's connections to PostgreSQL.


class Runner:
    """The work on a generation in this process; `running` begins and stops delegated ones."""

    def __init__(self, generation: Generation, running: other_agents.GenerationStarter) -> None:
        self.generation = generation
        self.conversation_id = generation.conversation_id
        self.resumes = generation.started is not None
        self.has_tried_to_claim = False
        self.is_aside, self.whose = False, ""  # Read from the database at the claim.
        self.can_be_left = False  # Likewise.
        self.stream = EventStream(self._show, generation.seq if self.resumes else 0)
        self.tools = ToolLoop(generation, self.stream, running)
        self.ending = Ending(generation, self.stream, self.tools, self._show)
        self.cancelled_as = GenerationStatus.INTERRUPTED
        self.requests = Requests(generation, self.stream)
        self.followed: Conversation | None = None  # Set at the end, if a follow-up waits in it.
        self.task: asyncio.Task[None] | None = None
        self.keeper: EventKeeper | None = None

    def cancel(self, status: GenerationStatus) -> None:
        if self.task is None:
            return
        if self.cancelled_as != GenerationStatus.STOPPED:  # A person's word counts more.
            self.cancelled_as = status
        is_interrupted = self.cancelled_as == GenerationStatus.INTERRUPTED
        self.requests.leaves = self.can_be_left and is_interrupted
        self.task.cancel()

    async def run(self) -> None:
        if not await self._claimed():
            return
        working_for.set(self.whose)
        with measured(self.generation) as span:
            if error := await self._ended():
                span.fail(error["kind"])

    async def _ended(self) -> Failure | None:
        self.keeper = keeper = event_writer.keep(self.generation, self.stream, self._keeping_failed)
        status, error = await self._outcome()
        event_writer.leave(keeper)  # A failed write must not cancel the end of the run.
        if self.requests.is_left and await to_its_end(self.ending.leave(keeper)):
            return None
        await to_its_end(self.ending.finish(keeper, status, error, self.requests.unstored))
        if self.generation.is_active:
            await self._lost()
            return None
        if self.requests.were_in_background:
            await forget_responses(plan__generation=self.generation)
        if self.generation.status == GenerationStatus.DONE and not self.generation.is_experiment:
            summaries.after(self.generation)
            advising.after(self.generation)
        self.followed = await follow_ups.followed(self.generation)
        return error

    async def _lost(self) -> None:
        """Make tabs reload after somebody else ended the generation, unless its chat is gone."""
        chats = Conversation.objects.filter(pk=self.conversation_id)
        if not self.is_aside and await in_database(chats.exists):
            viewers.show(self.conversation_id, reload_frame(self.conversation_id))

    async def _claimed(self) -> bool:
        """Claim the generation, or store its end if it was cancelled first."""
        try:
            return await insist(self._claim_whole, f"the start of generation {self.generation.pk}")
        except asyncio.CancelledError:
            await to_its_end(self._given_up())
            return False

    async def _given_up(self) -> None:
        """Store the end of a run that was cancelled before it began, unless its provider goes on
        with it for another process.
        """
        is_interrupted = self.resumes and self.cancelled_as == GenerationStatus.INTERRUPTED
        if is_interrupted and await in_database(take_up, self.generation):
            return
        await self.ending.end(self.cancelled_as)
        if self.resumes:
            await forget_responses(plan__generation=self.generation)

    async def _claim_whole(self) -> bool:
        return await to_its_end(in_database(self._claim))

    def _claim(self) -> bool:
        """Claim the generation, in a database thread. After a refusal, the claim may be stored."""
        is_repeat, self.has_tried_to_claim = self.has_tried_to_claim, True
        self.is_aside = self.generation.is_aside
        self.whose = person_of(self.generation.conversation)
        response = unfinished(self.generation) if self.resumes else None
        self.can_be_left = can_be_left(self.generation, response)
        if response:
            self.requests.note_unfinished()
        if stored.claim(self.generation, OWNER):
            return True
        return is_repeat and stored.is_held(self.generation)

    async def _outcome(self) -> tuple[GenerationStatus, Failure | None]:
        """Run to the end; return the status and any failure."""
        try:
            return await self._whole(), None
        except asyncio.CancelledError:
            return self._cancelled()
        except (Fenced, AnswerGone):
            return GenerationStatus.INTERRUPTED, None
        except Exception as error:
            return GenerationStatus.FAILED, failure_of(error, self.generation.pk)

    async def _whole(self) -> GenerationStatus:
        """Run until the answer is done, or waits for a person."""
        try:
            if self.resumes:
                await self._resume()
            else:
                fields = await repeatable(events.started, self.generation)
                self.stream.emit("started", **fields)
                self.stream.go_on(fields.get("before", ""))
                await self._steps(0, 0)
        except WaitsForApproval:
            return GenerationStatus.WAITING
        return GenerationStatus.DONE

    def _cancelled(self) -> tuple[GenerationStatus, Failure | None]:
        """Return how a run ends that a person, a shutdown or a failure to log events cancelled."""
        fault = self.keeper.fault if self.keeper else None
        if fault is None or isinstance(fault, Fenced):
            return self.cancelled_as, None
        return GenerationStatus.FAILED, unstored(fault, self.generation.pk)

    async def _resume(self) -> None:
        """Go on after a person has decided about all pending calls, or a process was lost."""
        progress = await repeatable(records.progress_of, self.generation)
        step = await repeatable(records.unfinished_step, self.generation)
        self.requests.go_on_from(progress)
        if step:
            await self.stream.show_when_logged()
        self.stream.emit("resumed")
        if step is None:
            await self.tools.resume(progress.step)
            await self._steps(progress.step, progress.rounds)
            return
        response = await self.requests.read_again(step)
        if await self._goes_on(progress.step, response):
            await self._steps(progress.step, progress.rounds + 1)

    async def _steps(self, step: int, rounds: int) -> None:
        for _round in range(rounds, settings.TOOL_ROUNDS):
            step, response = await self.requests.ask(step + 1)
            if not await self._goes_on(step, response):
                return
        raise too_many_rounds(settings.TOOL_ROUNDS)

    async def _goes_on(self, step: int, response: Response) -> bool:
        """Use the tools that the model called; return False if its answer is complete."""
        if not response.assembler.calls():
            refuse_empty(response)
            return False
        await self._use_tools(step, response)
        return True

    async def _use_tools(self, step: int, response: Response) -> None:
        """Store the request for tools, then the results, in the order of the calls.

        Raise `WaitsForApproval` if a person must decide about some calls; the others are done by
        then.
        """
        calls = response.assembler.calls()
        note = dispatch.note_of(response.assembler.left_out)
        self.stream.end_step()
        box = await self.tools.toolbox(step)
        places = frozenset(n for n, c in enumerate(calls) if box.needs_approval(c))
        questions = records.CallsToApprove(places, note)
        await to_its_end(self._store_calls(step, calls, questions))
        free = [call for place, call in enumerate(calls) if place not in places]
        await self.tools.run(free, box, "" if places else note)
        if places:
            raise WaitsForApproval

    async def _store_calls(
        self, step: int, calls: tuple[ToolCall, ...], questions: records.CallsToApprove
    ) -> None:
        await self.tools.store(step, self.requests.unstored, calls, questions)
        self.requests.unstored = NOTHING

    def _show(self, event: Event) -> None:
        if not self.is_aside:
            frame = event_frame(self.conversation_id, self.generation.pk, event)
            viewers.show(self.conversation_id, frame)

    def _keeping_failed(self) -> None:
        """End the run if it can't write events: it is fenced off, or the database fails."""
        if self.task is not None:
            # Whoever fenced it off may be reading the same answer.
            self.requests.leaves = bool(self.keeper and isinstance(self.keeper.fault, Fenced))
            self.task.cancel()

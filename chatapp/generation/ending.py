"""End a run: in the database first, then for viewers.

A failure has a kind for programs, and a sentence for people.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any, TypeAlias
from uuid import UUID

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chatapp.databases.refusals import refusal_in
from chatapp.databases.threads import in_database, insist, repeatable
from chatapp.generation import events
from chatapp.generation.event_writer import EventKeeper
from chatapp.generation.reading.response import Response
from chatapp.generation.tools.loop import ToolLoop
from chatapp.live import chat_lists
from chatapp.live.event_stream import EventStream
from chatapp.llm.errors import ErrorKind, ProviderError
from chatapp.telemetry import measuring, spans
from chatapp.telemetry.metrics import ANSWER_SECONDS
from history.core.words.errors import CannotPlan, SettingError
from history.core.words.storable import storable
from history.models import Generation, GenerationStatus
from history.services.answers import background
from history.services.answers import lifecycle as stored
from history.services.answers.lifecycle import Event, Fenced
from history.services.answers.so_far import NOTHING, Reply, reply_so_far
from history.wording.faults import word_error

logger = logging.getLogger(__name__)
Failure: TypeAlias = dict[str, str]  # `kind` and `message`.
INTERNAL = _("Something went wrong on the server. It was logged.")
STILL_TOO_LONG = _(
    "{model} rejected the request as too long, even after we cut the history to {percent}% of its"
    " budget. Lower the history length or its token budget, or set the agent's context window to"
    " what the model really accepts."
)
TOO_MANY_ROUNDS = _(
    "The model called tools for {n} rounds without answering, the most that this server allows."
    " The tool results are kept: ask for an answer based on them."
)
EMPTY = _("The model returned an empty answer. Try again.")
EMPTY_THOUGHT = _(
    "The model thought, but gave no answer. Try again, or raise the agent's output limit: thinking"
    " counts towards it."
)
UNSTORED = _("Part of this answer could not be saved. The error was logged.")


def failure_of(error: BaseException, generation: UUID) -> Failure:
    """Describe an error. Log it if it was unexpected, or raised by an extension."""
    match error:
        case ProviderError():
            return {"kind": error.kind, "message": storable(error.message)}
        case CannotPlan():
            if error.__cause__:
                logger.error("Generation %s: %s", generation, error, exc_info=error)
            return {"kind": error.kind, "message": word_error(error)}
        case SettingError():
            message = gettext("The agent's settings are no longer valid: {error}.")
            return {"kind": "settings", "message": message.format(error=word_error(error))}
    if refusal_in(error):
        return unstored(error, generation)
    logger.error("Generation %s failed", generation, exc_info=error)
    return {"kind": "internal", "message": str(INTERNAL)}


def unstored(error: BaseException, generation: UUID) -> Failure:
    """Describe a write that the database refused."""
    logger.error("Generation %s could not be stored", generation, exc_info=error)
    return {"kind": "unstored", "message": str(UNSTORED)}


@contextmanager
def measured(generation: Generation) -> Iterator[spans.Span]:
    """Measure a run, from its claim to its end."""
    start = monotonic()
    with spans.turn(partial(_told, generation)) as span:
        yield span
        span.note({"vitrine.status": generation.status})
    ANSWER_SECONDS.observe(monotonic() - start)


def _told(generation: Generation) -> dict[str, str]:
    agent = generation.snapshot_at().agent
    return {
        **spans.of_model(agent.model),
        "gen_ai.agent.name": agent.slug,
        "gen_ai.conversation.id": str(generation.conversation_id),
        "vitrine.generation.id": str(generation.pk),
        "vitrine.generation.kind": generation.kind,
    }


def still_too_long(generation: Generation, percent: int) -> ProviderError:
    model = generation.snapshot_at().agent.model
    message = STILL_TOO_LONG.format(model=model, percent=percent)
    return ProviderError(ErrorKind.CONTEXT_TOO_LONG, message)


def refuse_empty(response: Response) -> None:
    if not response.text.strip():
        raise ProviderError("empty", str(EMPTY_THOUGHT if response.reasoning else EMPTY))


def too_many_rounds(most: int) -> ProviderError:
    return ProviderError("tool_limit", TOO_MANY_ROUNDS.format(n=most))


class Ending:
    """Ends one run, or pauses it, after everything else is done."""

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
        self._has_tried = False
        self._owner: str | None = None  # Only the claimed run of this process ends it, if set.
        self._goes_on_from_log = generation.started is not None

    async def finish(
        self,
        keeper: EventKeeper,
        status: GenerationStatus,
        error: Failure | None,
        reply: Reply,
    ) -> None:
        """End the run. `reply` is the model's output that no message contains yet.

        A run that should wait but cannot be shown as waiting fails, because nobody could decide
        about its calls.
        """
        self._owner = self.generation.owner
        self.stream.close()
        await keeper.settled()
        if status == GenerationStatus.WAITING:
            try:
                return await self._pause()
            except Fenced:
                return None
            except Exception as fault:
                status, error = GenerationStatus.FAILED, failure_of(fault, self.generation.pk)
        await self.end(status, error, reply)

    async def leave(self, keeper: EventKeeper) -> bool:
        """Leave the answer, which its provider goes on with, to another process. Return False if
        another one has it already.
        """
        self.stream.close()
        await keeper.settled()
        await self.stream.settled()
        is_left = await repeatable(background.take_up, self.generation, self.stream.unlogged)
        if is_left:
            self.stream.show_at_once()
        return is_left

    async def _pause(self) -> None:
        """Store that the run waits for a decision, then tell viewers."""
        await self.stream.settled()
        data = await repeatable(events.waiting, self.generation)
        event = self.stream.next_event("waiting", data)
        await repeatable(stored.pause, self.generation, [*self.stream.unlogged, event])
        self.stream.show_at_once()
        self._show(event)
        await chat_lists.refresh(self.generation)

    async def end(
        self, status: GenerationStatus, error: Failure | None = None, reply: Reply = NOTHING
    ) -> None:
        """Store the end of the run, then tell viewers."""
        store = partial(self._stored_end, status, error, reply)
        if not await insist(store, f"the end of generation {self.generation.pk}"):
            return
        kind = (self.generation.error or {}).get("kind", "")
        measuring.answer_ended(self.generation.status, kind)
        await self.stream.settled()
        self.stream.show_at_once()
        if not self.stream.events and not self.stream.seq:
            await self._tell("started", events.started)
        await self._tell("end", events.ended)
        await chat_lists.refresh(self.generation)
        try:
            await in_database(stored.log_end, self.generation, self.stream.unlogged)
        except Exception:  # Later viewers get the page, which has the whole answer.
            logger.exception("The last events of generation %s are not stored", self.generation.pk)

    async def _stored_end(
        self, status: GenerationStatus, error: Failure | None, reply: Reply
    ) -> bool:
        """Store the end of the run; if that is impossible, store it as failed, without its text.

        After a refusal, the end may be stored.
        """
        is_repeat, self._has_tried = self._has_tried, True
        try:
            await self.tools.answer_open(status)
            if self._goes_on_from_log and not reply:  # It ends before it has read on.
                reply = await in_database(reply_so_far, self.generation)
            reply = replace(reply, text=storable(reply.text))
            if await in_database(stored.end, self.generation, status, reply, error, self._owner):
                return True
            return is_repeat and await in_database(stored.has_ended, self.generation, status)
        except Exception as fault:
            if refusal_in(fault):  # `insist` tries again to store the end with its text.
                raise
            why = unstored(fault, self.generation.pk)
            return await in_database(
                stored.end, self.generation, GenerationStatus.FAILED, error=why, owner=self._owner
            )

    async def _tell(self, kind: str, read: Callable[[Generation], dict[str, Any]]) -> None:
        """Announce the end; if the answer cannot be rendered, ask the page to reload."""
        try:
            data = await repeatable(read, self.generation)
        except Exception:
            logger.exception("Generation %s ended, and cannot be shown", self.generation.pk)
            data = {"html": "", "status": self.generation.status, "words": 0}
        self.stream.emit(kind, **data)

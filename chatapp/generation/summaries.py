"""Write summaries in the background: after a reply, or on request. Answers never wait for them."""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import aclosing
from functools import partial
from typing import Any
from uuid import UUID

from chatapp.databases.threads import in_database
from chatapp.generation.usage import charge_summary
from chatapp.live.viewers import summary_frame, viewers
from chatapp.llm import client
from chatapp.llm.chunks import CallDelta, Chunk, Finish, ReportedUsage, TextDelta
from chatapp.llm.errors import ProviderError
from chatapp.llm.reasoning.deltas import ReasoningDelta
from chatapp.llm.request import LlmRequest
from chatapp.llm.retries import Attempts
from chatapp.llm.streams.comparing import compared
from history.core.wire.request import Outgoing
from history.core.words.storable import storable
from history.models import Checkpoint, CheckpointState, Generation
from history.services.access import Actor
from history.services.summaries.actions import begin_compact
from history.services.summaries.due import PreparedSummary, next_fold, next_summary
from history.services.summaries.target import SummaryTarget, target_of
from history.services.summaries.writing import (
    CannotSummarise,
    InDatabase,
    WrittenSummary,
    make,
)
from history.services.wire.storing import store_summary_wires

logger = logging.getLogger(__name__)
LONGEST = 100_000  # The most characters of a summary; nobody asks for a tenth of that.
_tasks: dict[asyncio.Task[Any], UUID] = {}


async def summarise(
    model: str, messages: list[dict[str, str]], max_tokens: int, outgoing: Outgoing
) -> WrittenSummary:
    """Return the model's summary, and record in `outgoing` what was sent. Raise CannotSummarise,
    which never quotes a provider.
    """
    request = LlmRequest(model, messages, max_tokens=max_tokens, slides=True)
    outgoing.handed = request.body()
    answer = _Answer()
    try:
        attempts = Attempts(sent=outgoing.sent)
        async with aclosing(client.stream(request, attempts=attempts)) as chunks:
            async for chunk in chunks:
                answer.add(chunk)
    except ProviderError as refusal:
        sentence = storable(refusal.message.rstrip("."))
        raise CannotSummarise("told", answer.usage, sentence=sentence) from refusal
    return answer.written(attempts)


class _Answer:
    """The answer so far. It is read to its end, useful or not, because usage comes last."""

    def __init__(self) -> None:
        self.text = ""
        self.thoughts: list[ReasoningDelta] = []
        self.usage: dict[str, int] | None = None
        self.fault = ""

    def add(self, chunk: Chunk) -> None:
        """Add a chunk. Raise CannotSummarise if the answer would never end."""
        match chunk:
            case TextDelta(text):
                self.text += text
            case ReasoningDelta():
                self.thoughts.append(chunk)
            case ReportedUsage():
                self.usage = chunk.as_dict()
            case CallDelta():
                self.fault = self.fault or "called_tool"
            case Finish("length"):
                self.fault = self.fault or "cut_off"
        if len(self.text) > LONGEST:
            raise CannotSummarise("never_ended")

    def written(self, attempts: Attempts) -> WrittenSummary:
        """Return the summary. Raise CannotSummarise if it is incomplete."""
        comparison = compared(attempts, self.text, self.thoughts)
        if not self.fault and comparison and "text" in comparison.differing:
            self.fault = "lost"
        if self.fault:
            raise CannotSummarise(self.fault, self.usage)
        return WrittenSummary(self.text, self.usage)


async def write_summary(job: PreparedSummary, in_database: InDatabase) -> Checkpoint | None:
    """Have the model write a summary, and store the requests that left, whatever the outcome.
    Return the summary's row in its final state; None if its conversation is gone.
    """
    outgoing = Outgoing()
    try:
        return await make(job, partial(summarise, outgoing=outgoing), in_database)
    finally:
        if outgoing.sent:
            await asyncio.shield(in_database(store_summary_wires, job.row, outgoing))


def after(generation: Generation) -> None:
    """Write the summaries that are due after a reply, without anybody waiting for them."""
    settings = generation.snapshot_at().settings
    if settings.value("summarize") or settings.value("pruner") == "summarize":
        _spawn(_catch_up(generation), generation.conversation_id)


async def compact(actor: Actor, conversation_id: UUID) -> asyncio.Task[Checkpoint | None]:
    """Begin a summary that somebody asked for. Raise Refused; its row tells of a later failure."""
    prepared = await in_database(begin_compact, actor, conversation_id)
    return _spawn(_compact(prepared), conversation_id)


def cancel(conversation_id: UUID) -> None:
    """Cancel a summary whose conversation was deleted."""
    for task in [task for task, owner in _tasks.items() if owner == conversation_id]:
        task.cancel()


async def shutdown() -> None:
    """Abandon pending summaries; their rows then say so."""
    tasks = list(_tasks)
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=5)


async def _catch_up(generation: Generation) -> None:
    """Summarise until nothing is due or one fails."""
    while prepared := await in_database(lambda: next_summary(target_of(generation))):
        if not _is_ready(await _make(prepared)):
            return


async def _compact(prepared: PreparedSummary) -> Checkpoint | None:
    row = await _make(prepared)
    if _is_ready(row):
        await _fold(prepared.target)
    return row


async def _fold(target: SummaryTarget) -> None:
    while prepared := await in_database(next_fold, target):
        if not _is_ready(await _make(prepared)):
            return


async def _make(prepared: PreparedSummary) -> Checkpoint | None:
    row = await write_summary(prepared, in_database)
    if row and row.usage:
        await in_database(charge_summary, row)
    conversation = prepared.target.branch.conversation_id
    viewers.show(conversation, summary_frame(conversation))
    return row


def _is_ready(row: Checkpoint | None) -> bool:
    return row is not None and row.state == CheckpointState.READY


def _spawn(work: Coroutine[Any, Any, Any], conversation_id: UUID) -> asyncio.Task[Any]:
    task = asyncio.create_task(work, name=f"summaries of {conversation_id}")
    _tasks[task] = conversation_id
    task.add_done_callback(_forget)
    return task


def _forget(task: asyncio.Task[Any]) -> None:
    _tasks.pop(task, None)
    if not task.cancelled() and (error := task.exception()):
        logger.error("%s ended early", task.get_name(), exc_info=error)

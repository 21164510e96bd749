"""The generations that this process runs: start, stop, watch; and its own start and end."""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from chatapp import delegations, llm, mcp_sessions, steps, summaries
from chatapp.database import close_connections, in_database
from chatapp.generations import OWNER, Run
from chatapp.viewers import Frame, Viewer, event_frame, viewers
from history.models import Generation, GenerationEvent, GenerationStatus
from history.services import deciding
from history.services import generations as stored
from history.services.access import Actor, access_conversation
from history.services.deciding import Decided, Decision
from history.services.summary_writing import fail_abandoned

logger = logging.getLogger(__name__)
REAP_SECONDS = 30
_runs: dict[UUID, Run] = {}
_deciding = asyncio.Lock()
_reaper: asyncio.Task[None] | None = None
_warm_up = threading.Thread(target=llm.warm_up, name="warm-up", daemon=True)


def start(generation: Generation) -> None:
    """Run a queued generation in a task of the server's own."""
    if generation.pk not in _runs:  # No two run it: the database lets one claim it.
        begin(generation)


def begin(generation: Generation) -> asyncio.Task[None]:
    """The task of a generation that nobody runs yet."""
    run = Run(generation, delegations.Running(begin, _stop_asked))
    _runs[generation.pk] = run
    run.task = asyncio.create_task(run.run(), name=f"generation {generation.pk}")
    run.task.add_done_callback(lambda task: _forget(generation.pk, task))
    return run.task


def _forget(generation_id: UUID, task: asyncio.Task[None]) -> None:
    _runs.pop(generation_id, None)
    if not task.cancelled() and (error := task.exception()):
        logger.error("Generation %s was lost", generation_id, exc_info=error)


async def stop(generation: Generation) -> None:
    """End an active generation as stopped, with the text that is there; again and again is fine."""
    if run := _runs.get(generation.pk):
        run.cancel(GenerationStatus.STOPPED)
        if run.task:
            await asyncio.wait([run.task], timeout=10)
        if not await in_database(_waits, generation.conversation_id, generation.pk):
            return
        generation.status = GenerationStatus.WAITING  # It has paused in the meantime.
    if generation.is_open:
        waited = generation.is_waiting
        if await in_database(_end_elsewhere, generation) and waited:
            await _tell(generation, "end", steps.ended)
        else:
            viewers.show(generation.conversation_id, _reload(generation.conversation_id))


async def _stop_asked(generation: Generation) -> None:
    """With the one that asked for it; a shutdown has ended it already."""
    run = _runs.get(generation.pk)
    if run and run.task and not run.task.cancelling():
        await stop(generation)


def _end_elsewhere(generation: Generation) -> bool:
    return stored.end(generation, GenerationStatus.STOPPED, stored.text_so_far(generation))


async def decide(
    actor: Actor, conversation_id: UUID, generation_id: UUID, decision: Decision
) -> Decided:
    """Record a person's word on a call, show it, and go on after the last one.

    One at a time, since each is the event after the one before.
    """
    async with _deciding:
        where = (conversation_id, generation_id)
        decided = await in_database(deciding.decide, actor, *where, decision)
        if decided.is_new:
            card = partial(steps.call_card, call_id=decided.call_id)
            await _tell(decided.generation, "call", card)
        if decided.resumes:
            start(decided.generation)
        return decided


async def give_up(generation: Generation) -> None:
    """Show that an answer no longer waits for a person, who wrote instead."""
    await _tell(generation, "end", steps.ended)


async def _tell(
    generation: Generation, kind: str, read: Callable[[Generation], dict[str, Any]]
) -> None:
    """One more event of a generation that nobody runs; a reload where it cannot be shown."""
    if (run := _runs.get(generation.pk)) and run.task:
        await asyncio.wait([run.task])  # It has paused, and is saying so.
    try:
        data = await in_database(read, generation)
    except Exception:
        logger.exception("Generation %s cannot be shown", generation.pk)
        return viewers.show(generation.conversation_id, _reload(generation.conversation_id))
    event = await in_database(stored.log_aside, generation, kind, data)
    frame = event_frame(generation.conversation_id, generation.pk, event)
    viewers.show(generation.conversation_id, frame)


async def delete(actor: Actor, conversation_id: UUID) -> None:
    """Delete a conversation for good; what is being written to it ends first."""
    for run in [run for run in _runs.values() if run.conversation_id == conversation_id]:
        generation = await in_database(_accessible, actor, run.generation.pk, conversation_id)
        await stop(generation)
    await in_database(_delete, actor, conversation_id)
    summaries.cancel(conversation_id)
    viewers.show(conversation_id, _reload(conversation_id))


def _accessible(actor: Actor, generation_id: UUID, conversation_id: UUID) -> Generation:
    return access_conversation(actor, conversation_id).generations.get(pk=generation_id)


@transaction.atomic
def _delete(actor: Actor, conversation_id: UUID) -> None:
    """All of it is held first: whoever is about to write waits, and finds it gone."""
    conversation = access_conversation(actor, conversation_id, hold=True)
    list(conversation.generations.select_for_update().values_list("pk"))
    conversation.delete()


async def watch(viewer: Viewer, conversation_id: UUID, known: UUID | None, after_seq: int) -> None:
    """Show a viewer what it has not seen of a generation, then whatever comes.

    `known` is the generation that its page shows as unfinished, `after_seq` the newest event there.
    """
    viewers.follow(viewer, conversation_id)
    if run := _running(conversation_id, known):
        seen = after_seq if run.generation.pk == known else 0
        await _catch_up(viewer, run, seen)
    elif known is not None:
        await _replay(viewer, conversation_id, known, after_seq)


def _running(conversation_id: UUID, known: UUID | None) -> Run | None:
    if known in _runs:
        return _runs[known]
    return next((r for r in _runs.values() if r.conversation_id == conversation_id), None)


async def _catch_up(viewer: Viewer, run: Run, seen: int) -> None:
    """What came before a person decided is in the log alone."""
    if seen < run.outbox.seq:
        where = (run.conversation_id, run.generation.pk)
        viewers.unfollow(viewer)  # What happens meanwhile comes after it, from the outbox.
        for event in await in_database(_logged, *where, seen):
            if event.seq <= run.outbox.seq:
                viewer.show(run.frame(event))
        viewers.follow(viewer, run.conversation_id)
    for event in run.outbox.after(seen):
        viewer.show(run.frame(event))


async def _replay(viewer: Viewer, conversation_id: UUID, known: UUID, after_seq: int) -> None:
    """From the log. An end that is not in it was not told of: the page has it.

    One that waits has told of all there is.
    """
    events = await in_database(_logged, conversation_id, known, after_seq)
    waits = await in_database(_waits, conversation_id, known)
    if waits or (events and events[-1].kind == "end"):
        for event in events:
            viewer.show(event_frame(conversation_id, known, event))
    else:
        viewer.show(_reload(conversation_id))


def _reload(conversation_id: UUID) -> Frame:
    return {"type": "reload", "conversation": str(conversation_id)}


def _logged(conversation_id: UUID, generation_id: UUID, after_seq: int) -> list[stored.Event]:
    rows = GenerationEvent.objects.filter(
        generation=generation_id, generation__conversation=conversation_id, seq__gt=after_seq
    ).order_by("seq")
    events = [stored.Event(row.seq, row.kind, row.payload) for row in rows]
    whole = not events or events[0].seq == after_seq + 1
    return events if whole else []


def _waits(conversation_id: UUID, generation_id: UUID) -> bool:
    rows = Generation.objects.filter(conversation=conversation_id, pk=generation_id)
    return rows.filter(status=GenerationStatus.WAITING).exists()


async def startup() -> None:
    """This is the only process: what an earlier one left running is interrupted at once."""
    global _reaper  # noqa: PLW0603 -- the process has one
    await in_database(reap, frozenset({OWNER}))
    await in_database(fail_abandoned, timedelta(0))
    _reaper = asyncio.create_task(_reap_for_ever())
    await mcp_sessions.startup()
    _warm_up.start()


async def shutdown() -> None:
    """Whatever still runs is interrupted, with its text kept."""
    if _reaper is not None:
        _reaper.cancel()
    tasks = [run.task for run in _runs.values() if run.task]
    for run in list(_runs.values()):
        run.cancel(GenerationStatus.INTERRUPTED)
    if tasks:
        await asyncio.wait(tasks, timeout=10)
    await summaries.shutdown()
    await mcp_sessions.shutdown()
    # A process that exits while litellm is being imported may wait for ever on the import lock.
    await asyncio.to_thread(_warm_up.join, 10)
    await llm.close()
    await close_connections()


def reap(alive: frozenset[str] = frozenset()) -> int:
    """Interrupt what nobody runs, and forget old event logs. Never runs anything again."""
    reaped = sum(stored.interrupt(generation) for generation in stored.abandoned(alive))
    stored.drop_old_events(settings.EVENT_HOURS)
    fail_abandoned()
    if reaped:
        logger.warning("Interrupted %d abandoned generations; their text was kept.", reaped)
    return reaped


async def _reap_for_ever() -> None:
    while True:
        await asyncio.sleep(REAP_SECONDS)
        with contextlib.suppress(Exception):
            await in_database(reap)

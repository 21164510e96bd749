"""The generations that this process runs: start, stop, decide."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from chatapp.databases.threads import in_database
from chatapp.env.redis import INLINE
from chatapp.generation import events, follow_ups
from chatapp.generation.asking import forget_responses
from chatapp.generation.queue import answer_queue
from chatapp.generation.runner import Runner
from chatapp.generation.tools.other_agents import GenerationStarter
from chatapp.live import chat_lists
from chatapp.live.bus import EVERYBODY, bus, of_process
from chatapp.live.viewers import event_frame, reload_frame, viewers
from history.models import Generation, GenerationStatus
from history.services.access import Actor
from history.services.answers import approvals
from history.services.answers import lifecycle as stored
from history.services.answers.approvals import DecidedCall, Decision
from history.services.answers.lifecycle import Event

logger = logging.getLogger(__name__)
_runners: dict[UUID, Runner] = {}
_deciding = asyncio.Lock()
STOP_TRIES, STOP_PAUSE = 60, 0.05  # How long another process may take to end an answer.


def writes_here() -> bool:
    """Return whether this process runs the generations that it is asked for; otherwise workers run
    them, from the job that is stored with each generation.
    """
    return settings.GENERATION_EXECUTOR == INLINE


def start(generation: Generation) -> None:
    """Run a queued generation in a background task, as soon as a place is free."""
    if not writes_here():
        return
    if generation.pk not in running() and answer_queue.enter(generation):
        begin(generation)  # It cannot run twice: only one runner can claim it.


def begin(generation: Generation) -> asyncio.Task[None]:
    """Start a task for a generation that nobody runs yet."""
    runner = Runner(generation, GenerationStarter(begin, _stop_asked))
    _runners[generation.pk] = runner
    runner.task = asyncio.create_task(runner.run(), name=f"generation {generation.pk}")
    runner.task.add_done_callback(lambda task: _forget(generation.pk, task))
    return runner.task


def _forget(generation_id: UUID, task: asyncio.Task[None]) -> None:
    runner = _runners.pop(generation_id, None)
    if not task.cancelled() and (error := task.exception()):
        logger.error("Generation %s was lost", generation_id, exc_info=error)
    leave(generation_id)
    if runner and runner.followed:
        follow_ups.begin(runner.followed, start)


def leave(generation_id: UUID) -> None:
    """Free a generation's place, and begin the answers next in line."""
    for following in answer_queue.leave(generation_id):
        begin(following)


async def stop(generation: Generation) -> None:
    """Stop an active generation, keeping its text. Stopping it again does no harm."""
    if runner := _runners.get(generation.pk):
        runner.cancel(GenerationStatus.STOPPED)
        if runner.task:
            await asyncio.wait([runner.task], timeout=10)
        if not await in_database(_was_left_open, generation):
            return
    else:
        leave(generation.pk)
        await _ask_its_process(generation)
    if generation.is_open:
        waited = generation.is_waiting
        if await _end_elsewhere(generation) and waited:
            await _tell(generation, "end", events.ended)
        elif not await in_database(lambda: generation.is_aside):
            viewers.show(generation.conversation_id, reload_frame(generation.conversation_id))
        await chat_lists.refresh(generation)


def stop_here(generation_id: UUID) -> None:
    """Stop a generation that this process writes, because another process was asked to stop it."""
    if runner := _runners.get(generation_id):
        runner.cancel(GenerationStatus.STOPPED)


async def _ask_its_process(generation: Generation) -> None:
    """Ask the process that writes a generation to end it, and wait until it has. A process that is
    gone won't answer.
    """
    if not bus.is_used:
        return
    bus.say(EVERYBODY, f"leave {generation.pk}")
    process = of_process(generation.owner)
    if not generation.is_active or not await bus.ask(process, f"stop {generation.pk}"):
        return
    for _ in range(STOP_TRIES):
        if not await in_database(_is_active_still, generation):
            return
        await asyncio.sleep(STOP_PAUSE)


def _was_left_open(generation: Generation) -> bool:
    """Read whether the generation's run has paused, or left it to another process."""
    left = (GenerationStatus.WAITING, GenerationStatus.QUEUED)
    rows = Generation.objects.filter(pk=generation.pk, status__in=left)
    generation.status = rows.values_list("status", flat=True).first() or generation.status
    return generation.status in left


def _is_active_still(generation: Generation) -> bool:
    generation.refresh_from_db()
    return generation.is_active


async def _stop_asked(generation: Generation) -> None:
    """Stop a delegated task, unless it is being cancelled already, as at a shutdown."""
    runner = _runners.get(generation.pk)
    if runner and runner.task and not runner.task.cancelling():
        await stop(generation)


async def _end_elsewhere(generation: Generation) -> bool:
    ended = await in_database(stored.interrupt, generation, GenerationStatus.STOPPED)
    if ended:
        await forget_responses(plan__generation=generation)
    return ended


async def decide(
    actor: Actor, conversation_id: UUID, generation_id: UUID, decision: Decision
) -> DecidedCall:
    """Record a decision on a call, show it, and resume the generation after the last decision.

    Decisions are handled one at a time, because their events are numbered in sequence.
    """
    async with _deciding:
        where = (conversation_id, generation_id)
        decided, event = await in_database(_decide, actor, *where, decision)
        if decided.is_new:
            await _show(decided.generation, event)
        if decided.resumes:
            start(decided.generation)
            await chat_lists.refresh(decided.generation)
        return decided


def _decide(
    actor: Actor, conversation_id: UUID, generation_id: UUID, decision: Decision
) -> tuple[DecidedCall, Event | None]:
    """Store and log a decision in one transaction, because another process may decide about the
    next call, or go on with the generation.
    """
    with transaction.atomic():
        decided = approvals.decide(actor, conversation_id, generation_id, decision)
        if not decided.is_new:
            return decided, None
        card = partial(events.call_card, call_id=decided.call_id)
        return decided, _logged(decided.generation, "call", card)


async def give_up(generation: Generation) -> None:
    """Show that an answer no longer waits, because a message was sent instead."""
    await _tell(generation, "end", events.ended)


async def _tell(
    generation: Generation, kind: str, read: Callable[[Generation], dict[str, Any]]
) -> None:
    """Log and show an event of a generation that isn't running, or else make its tabs reload."""
    await _show(generation, await in_database(_logged, generation, kind, read))


def _logged(
    generation: Generation, kind: str, read: Callable[[Generation], dict[str, Any]]
) -> Event | None:
    """Log an event and return it; None if it cannot be rendered."""
    try:
        with transaction.atomic():
            data = read(generation)
    except Exception:
        logger.exception("Generation %s cannot be shown", generation.pk)
        return None
    return stored.log_aside(generation, kind, data)


async def _show(generation: Generation, event: Event | None) -> None:
    await over(generation.pk)
    if await in_database(lambda: generation.is_aside):
        return
    where = generation.conversation_id
    frame = event_frame(where, generation.pk, event) if event else reload_frame(where)
    viewers.show(where, frame)


async def over(generation_id: UUID) -> None:
    """Wait until the generation's runner in this process has ended: after a pause the runner may
    still be announcing it.
    """
    if (runner := _runners.get(generation_id)) and runner.task:
        await asyncio.wait([runner.task])


def all_here() -> list[Runner]:
    """Return every runner of this process."""
    return list(_runners.values())


def running() -> tuple[UUID, ...]:
    """Return the generations that this process runs, or will run when their turn comes."""
    return (*_runners, *answer_queue.waiting)


def running_in(conversation_id: UUID, preferred: UUID | None = None) -> Runner | None:
    """Return a runner in this conversation, if possible that of the preferred generation. Runners
    that write aside are left out, because no page shows their output.
    """
    here = [
        runner
        for runner in _runners.values()
        if runner.conversation_id == conversation_id and not runner.is_aside
    ]
    return next(
        (runner for runner in here if runner.generation.pk == preferred), next(iter(here), None)
    )


async def interrupt_all() -> None:
    """Interrupt every generation that runs here, keeping its text."""
    tasks = [runner.task for runner in _runners.values() if runner.task]
    for runner in list(_runners.values()):
        runner.cancel(GenerationStatus.INTERRUPTED)
    if tasks:
        await asyncio.wait(tasks, timeout=10)

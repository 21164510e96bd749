"""Show a viewer what it has not seen of a generation, then new events.

Past events are read as the viewer's socket accepts them, so that they wait in the log and not in
memory.
"""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from chatapp.databases.threads import in_database
from chatapp.generation import supervisor
from chatapp.generation.queue import answer_queue
from chatapp.generation.runner import Runner
from chatapp.live.bus import bus
from chatapp.live.elsewhere import elsewhere
from chatapp.live.logged_events import PAGE, logged, newest_event, progress
from chatapp.live.viewers import Viewer, event_frame, reload_frame, viewers
from history.models import Generation, GenerationStatus
from history.services.answers.lifecycle import Event

PAUSE_SECONDS = 0.1  # Half the interval of 0.2 s at which events are logged.
TRIES = 50


async def watch(viewer: Viewer, conversation_id: UUID, answer: UUID | None, after_seq: int) -> None:
    """Follow a conversation. `answer` is the one that its page shows as unfinished,
    `after_seq` the number of the newest event there. Raise `ViewerGone` if the viewer ends
    meanwhile.
    """
    viewers.follow(viewer, conversation_id)
    runner = supervisor.running_in(conversation_id, answer)
    place = None if runner else answer_queue.frame_in(conversation_id)
    newest = runner.generation.pk if runner else UUID(place["generation"]) if place else None
    if newest is None and bus.is_used:
        return await _watch_elsewhere(viewer, conversation_id, answer, after_seq)
    with viewer.replaying(newest):
        if answer not in {None, newest}:
            await _replay(viewer, conversation_id, answer, after_seq)
        if runner:
            await _catch_up(viewer, runner, after_seq if newest == answer else 0)
    if place:
        viewer.show(place)


async def _catch_up(viewer: Viewer, runner: Runner, seen: int) -> None:
    """Replay events that the viewer has not seen; only the log has those from before a decision."""
    if seen > runner.stream.newest:  # No event has this number.
        viewer.show(reload_frame(runner.conversation_id))
        seen = runner.stream.newest
    before = runner.stream.seq
    if seen < before:
        await _from_log(viewer, runner.conversation_id, runner.generation.pk, (seen, before))
    seen = max(seen, before)
    while events := runner.stream.after(seen, PAGE):
        await _show(viewer, runner.conversation_id, runner.generation.pk, events)
        seen = events[-1].seq


async def _watch_elsewhere(
    viewer: Viewer, conversation_id: UUID, answer: UUID | None, after_seq: int
) -> None:
    """Do what `watch` does when no answer is written here, but perhaps in another process."""
    with viewer.replaying():
        await elsewhere.known(conversation_id)
        lately = await in_database(progress, [conversation_id])
        rows = [row for row in lately if row.is_active]
        if supervisor.running_in(conversation_id, answer):  # An answer has begun here meanwhile.
            return await watch(viewer, conversation_id, answer, after_seq)
        newest = rows[-1].generation if rows else None
        viewer.replays(newest)
        if answer not in {None, newest}:
            if answer in {row.generation for row in lately}:
                await elsewhere.reach(conversation_id, answer)
            await _replay(viewer, conversation_id, answer, after_seq)
        if newest:
            seen = after_seq if newest == answer else 0
            await _catch_up_elsewhere(viewer, conversation_id, newest, seen)


async def _catch_up_elsewhere(
    viewer: Viewer, conversation_id: UUID, answer: UUID, seen: int
) -> None:
    """Replay the log of an answer that another process writes, then the later events that came from
    there. Try again while an event between the two is missing.
    """
    for _ in range(TRIES):
        event = await in_database(newest_event, conversation_id, answer)
        last = event[0] if event else 0
        await elsewhere.reach(conversation_id, answer, last)
        await _from_log(viewer, conversation_id, answer, (seen, last))
        seen = max(seen, last)
        if (rest := elsewhere.after(conversation_id, answer, seen)) is not None:
            for text in rest:
                viewer.take(text)
            return
        await asyncio.sleep(PAUSE_SECONDS)
    viewer.show(reload_frame(conversation_id))


async def _replay(viewer: Viewer, conversation_id: UUID, answer: UUID, after_seq: int) -> None:
    """Replay the log of an answer that is not being written. Ask for a reload if the log lacks the
    end, or events before it; while the answer waits for a decision, its log is complete.
    """
    newest = await in_database(newest_event, conversation_id, answer)
    waits = await in_database(_waits, conversation_id, answer)
    upto, kind = newest or (0, "")
    is_complete = (waits and after_seq <= upto) or (kind == "end" and after_seq < upto)
    if not is_complete or not await _from_log(viewer, conversation_id, answer, (after_seq, upto)):
        viewer.show(reload_frame(conversation_id))


async def _from_log(
    viewer: Viewer, conversation_id: UUID, generation_id: UUID, stretch: tuple[int, int]
) -> bool:
    """Show events after the first number up to the second; return False if the log has a gap."""
    seen, last = stretch
    while seen < last:
        await viewer.room()
        events = await in_database(logged, conversation_id, generation_id, (seen, last))
        if not events or events[0].seq != seen + 1:
            return False
        await _show(viewer, conversation_id, generation_id, events)
        seen = events[-1].seq
    return True


async def _show(
    viewer: Viewer, conversation_id: UUID, generation_id: UUID, events: Sequence[Event]
) -> None:
    for event in events:
        await viewer.room()
        viewer.show(event_frame(conversation_id, generation_id, event))


def _waits(conversation_id: UUID, generation_id: UUID) -> bool:
    """Return whether the generation waits for a person's decision."""
    rows = Generation.objects.filter(conversation=conversation_id, pk=generation_id)
    return rows.filter(status=GenerationStatus.WAITING).exists()

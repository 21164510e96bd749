"""Show a viewer what it has not seen of a generation, then new events.

Past events are read as the viewer's socket accepts them, so that they wait in the log and not in
memory.
"""

from collections.abc import Sequence
from uuid import UUID

from chatapp.databases.threads import in_database
from chatapp.generation import supervisor
from chatapp.generation.queue import answer_queue
from chatapp.generation.runner import Runner
from chatapp.live.viewers import Viewer, event_frame, reload_frame, viewers
from history.models import GenerationEvent
from history.services.answers.lifecycle import Event

PAGE = 100  # Events that are read from the log at once.


async def watch(viewer: Viewer, conversation_id: UUID, known: UUID | None, after_seq: int) -> None:
    """Follow a conversation. `known` is the generation that its page shows as unfinished,
    `after_seq` the newest event there. Raise `ViewerGone` if the viewer
    ends meanwhile.
    """
    viewers.follow(viewer, conversation_id)
    if runner := supervisor.running_in(conversation_id, known):
        with viewer.replaying(runner.generation.pk):
            await _catch_up(viewer, runner, after_seq if runner.generation.pk == known else 0)
    elif place := answer_queue.frame_in(conversation_id):
        viewer.show(place)
    elif known is not None:
        with viewer.replaying():
            await _replay(viewer, conversation_id, known, after_seq)


async def _catch_up(viewer: Viewer, runner: Runner, seen: int) -> None:
    """Replay what it has not seen. Events from before a decision are in the log only."""
    if seen > runner.stream.newest:  # There are no such events.
        viewer.show(reload_frame(runner.conversation_id))
        seen = runner.stream.newest
    before = runner.stream.seq
    if seen < before:
        await _from_log(viewer, runner.conversation_id, runner.generation.pk, (seen, before))
    seen = max(seen, before)
    while events := runner.stream.after(seen, PAGE):
        await _show(viewer, runner.conversation_id, runner.generation.pk, events)
        seen = events[-1].seq


async def _replay(viewer: Viewer, conversation_id: UUID, known: UUID, after_seq: int) -> None:
    """Replay from the log. If it has no end event, the page already shows the end.

    A waiting generation has announced everything.
    """
    newest = await in_database(_newest, conversation_id, known)
    waits = await in_database(supervisor.waits, conversation_id, known)
    upto, kind = newest or (0, "")
    told = (waits and after_seq <= upto) or (kind == "end" and after_seq < upto)
    if not told or not await _from_log(viewer, conversation_id, known, (after_seq, upto)):
        viewer.show(reload_frame(conversation_id))


async def _from_log(
    viewer: Viewer, conversation_id: UUID, generation_id: UUID, stretch: tuple[int, int]
) -> bool:
    """Show events after the first number up to the second; return False if the log has a gap."""
    seen, last = stretch
    while seen < last:
        await viewer.room()
        events = await in_database(_logged, conversation_id, generation_id, (seen, last))
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


def _newest(conversation_id: UUID, generation_id: UUID) -> tuple[int, str] | None:
    """Return the number and the kind of the last event."""
    rows = GenerationEvent.objects.filter(
        generation=generation_id, generation__conversation=conversation_id
    )
    return rows.order_by("-seq").values_list("seq", "kind").first()


def _logged(conversation_id: UUID, generation_id: UUID, stretch: tuple[int, int]) -> list[Event]:
    """Read the first of these events."""
    after, upto = stretch
    rows = GenerationEvent.objects.filter(
        generation=generation_id,
        generation__conversation=conversation_id,
        seq__gt=after,
        seq__lte=upto,
    ).order_by("seq")[:PAGE]
    return [Event(row.seq, row.kind, row.payload) for row in rows]

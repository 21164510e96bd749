"""Show a viewer what it has not seen of a generation, then whatever comes."""

from uuid import UUID

from chatapp import runs
from chatapp.database import in_database
from chatapp.generations import Run
from chatapp.viewers import Viewer, event_frame, reload_frame, viewers
from history.models import GenerationEvent
from history.services import generations as stored


async def watch(viewer: Viewer, conversation_id: UUID, known: UUID | None, after_seq: int) -> None:
    """Show a viewer what it has not seen of a generation, then whatever comes.

    `known` is the generation that its page shows as unfinished, `after_seq` the newest event there.
    """
    viewers.follow(viewer, conversation_id)
    if run := runs.running_in(conversation_id, known):
        seen = after_seq if run.generation.pk == known else 0
        await _catch_up(viewer, run, seen)
    elif known is not None:
        await _replay(viewer, conversation_id, known, after_seq)


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
    waits = await in_database(runs.waits, conversation_id, known)
    if waits or (events and events[-1].kind == "end"):
        for event in events:
            viewer.show(event_frame(conversation_id, known, event))
    else:
        viewer.show(reload_frame(conversation_id))


def _logged(conversation_id: UUID, generation_id: UUID, after_seq: int) -> list[stored.Event]:
    rows = GenerationEvent.objects.filter(
        generation=generation_id, generation__conversation=conversation_id, seq__gt=after_seq
    ).order_by("seq")
    events = [stored.Event(row.seq, row.kind, row.payload) for row in rows]
    whole = not events or events[0].seq == after_seq + 1
    return events if whole else []

"""A summary in the transcript: the line below the messages that a new one replaces, shown until a
request contains it, and the one to undo where the cut line speaks of it.
"""

from uuid import UUID

from chatapp.transcript.cut_line import newest_plan
from history.core.summaries.checkpoints import Checkpoint
from history.models import Checkpoint as StoredCheckpoint
from history.models import CheckpointState, ContextPlan, Conversation, Generation
from history.services.explain.summary_sources import summary_of
from history.services.summaries.actions import applying


def may_have_line(conversation_id: UUID) -> bool:
    """Whether a summary was written since the newest answer began; this costs one cheap query."""
    answers = Generation.objects.filter(conversation=conversation_id).order_by("-created")
    rows = StoredCheckpoint.objects.filter(
        conversation=conversation_id, state=CheckpointState.READY
    )
    return rows.filter(ended__gt=answers.values("created")[:1]).exists()


def undoable_summary(record: ContextPlan) -> int | None:
    """Return the number of the newest summary that the request contained, if it can be undone."""
    numbers = {summary_of(entry) for entry in record.core_plan.entries} - {None}
    if not numbers:
        return None
    rows = StoredCheckpoint.objects.filter(
        conversation=record.generation.conversation_id, state=CheckpointState.READY
    )
    newest = rows.order_by("-last", "-pk").values_list("pk", flat=True).first()
    return newest if newest in numbers else None


def upcoming_summary(conversation: Conversation) -> Checkpoint | None:
    """Return the newest summary that the next request will be the first to include."""
    record = newest_plan(conversation)
    labels = {entry.label for entry in record.core_plan.entries} if record else set()
    return next((p for p in reversed(applying(conversation)) if p.label not in labels), None)

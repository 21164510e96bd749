"""The line below messages that a new summary replaces, shown until a request contains it."""

from uuid import UUID

from chatapp.transcript.cut_line import newest_plan
from history.core.summaries.checkpoints import Checkpoint
from history.models import Checkpoint as StoredCheckpoint
from history.models import CheckpointState, Conversation, Generation
from history.services.summaries.actions import applying


def may_have_line(conversation_id: UUID) -> bool:
    """Whether a summary was written since the newest answer began; this costs one cheap query."""
    answers = Generation.objects.filter(conversation=conversation_id).order_by("-created")
    rows = StoredCheckpoint.objects.filter(
        conversation=conversation_id, state=CheckpointState.READY
    )
    return rows.filter(ended__gt=answers.values("created")[:1]).exists()


def upcoming_summary(conversation: Conversation) -> Checkpoint | None:
    """Return the newest summary that the next request will be the first to include."""
    record = newest_plan(conversation)
    labels = {entry.label for entry in record.core_plan.entries} if record else set()
    return next((p for p in reversed(applying(conversation)) if p.label not in labels), None)

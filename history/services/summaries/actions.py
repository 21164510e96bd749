"""What people can do about summaries: ask for one, undo the newest, or list them all."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from history.core.summaries import checkpoints as core
from history.core.words.wording import number
from history.models import Checkpoint, CheckpointState, Conversation
from history.services.access import Actor, access_conversation
from history.services.errors import Conflict, NotFound, still_writing
from history.services.path.reading import active_generation
from history.services.settings.answerer import refuse_delegated
from history.services.summaries.due import PreparedSummary, begin, is_making, newest_of
from history.services.summaries.numbers import NO_NUMBERS, SummaryNumbers
from history.services.summaries.target import present_target
from history.wording.names import injected_text


def begin_compact(actor: Actor, conversation_id: UUID) -> PreparedSummary:
    """Begin a summary of all but the newest turn. Raise NotFound, or Conflict if impossible."""
    conversation = _idle(actor, conversation_id)
    target = present_target(conversation)
    if target and target.settings.value("policy") == "none":
        sentence = _("No summary was written because History policy none sends no summaries.")
        raise Conflict("policy_none", sentence)
    newest = newest_of(target.branch) if target else 0
    if newest is None:
        raise _busy()
    if target is None or (due := target.due()) is None:
        raise Conflict("nothing", _("There is nothing to summarise before your last turn."))
    if prepared := begin(target, due, newest):
        return prepared
    raise _busy()


def checkpoints_of(conversation: Conversation) -> QuerySet[Checkpoint]:
    """List all checkpoints that were ever begun, the newest first."""
    return conversation.checkpoints.order_by("-pk")


def has_summary(conversation: Conversation) -> bool:
    """Return whether a written summary is neither undone nor merged; it may not apply now."""
    return conversation.checkpoints.filter(state=CheckpointState.READY).exists()


def checkpoint_of(conversation: Conversation, checkpoint_id: int) -> Checkpoint:
    """Return a checkpoint of the conversation. Raise NotFound."""
    if row := conversation.checkpoints.filter(pk=checkpoint_id).first():
        return row
    raise NotFound("summary")


def applying(conversation: Conversation) -> tuple[core.Checkpoint, ...]:
    """Return the summaries that the next request contains, the oldest first."""
    target = present_target(conversation)
    sends = target is not None and target.settings.value("policy") != "none"
    return target.points() if target and sends else ()


def undo(actor: Actor, conversation_id: UUID, checkpoint_id: int) -> Checkpoint:
    """Undo the newest summary that applies; the summaries folded into it apply again.

    Raise NotFound, or Conflict for any other summary.
    """
    with transaction.atomic():
        conversation = _idle(actor, conversation_id, hold=True)
        row = checkpoint_of(conversation, checkpoint_id)
        target = present_target(conversation)
        points = target.points() if target else ()
        if not points or points[-1].id != row.pk:
            raise Conflict("not_newest", _only(points, SummaryNumbers(conversation.pk)))
        row.state, row.ended = CheckpointState.UNDONE, timezone.now()
        row.save(update_fields=["state", "ended"])
        row.parts.update(state=CheckpointState.READY, folded_into=None)
    return row


def undo_newest(actor: Actor, conversation_id: UUID) -> Checkpoint:
    """Undo the newest summary that applies. Raise Conflict if no summary applies."""
    target = present_target(access_conversation(actor, conversation_id))
    points = target.points() if target else ()
    if not points:
        raise Conflict("not_newest", _only((), NO_NUMBERS))
    return undo(actor, conversation_id, points[-1].id)


def taken_back(row: Checkpoint) -> str:
    """Say that a summary was undone; what is sent instead depends on settings and marks."""
    sentence = _("Summary undone. Messages {first} to {last} are sent as usual.")
    return sentence.format(first=number(row.first + 1), last=number(row.last + 1))


def _only(points: Sequence[core.Checkpoint], numbers: SummaryNumbers) -> str:
    if not points:
        return _("There is no summary to undo.")
    sentence = _("Only the latest summary in use can be undone: {label}.")
    return sentence.format(label=injected_text(numbers.label(points[-1].label)))


def _idle(actor: Actor, conversation_id: UUID, *, hold: bool = False) -> Conversation:
    """Return the conversation if nothing is being written in it. Raise NotFound or Conflict."""
    conversation = access_conversation(actor, conversation_id, hold=hold)
    refuse_delegated(conversation)
    if active_generation(conversation):
        raise still_writing()
    if is_making(conversation.pk):
        raise _busy()
    return conversation


def _busy() -> Conflict:
    return Conflict("busy", _("A summary of this chat is already being written."))

"""Let a person decide about a call: approve it or refuse it, once."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from history.core.transcript.messages import ToolCall
from history.models import (
    ACTIVE,
    ApprovalKind,
    CallStage,
    Conversation,
    Generation,
    GenerationStatus,
)
from history.services.access import Actor, access_conversation
from history.services.answers.approval_log import Approval, approvals_of, open_calls
from history.services.answers.queueing import queued
from history.services.errors import Conflict, NotFound, Refused, still_writing
from history.services.texts import checked_text

MOST_CHARACTERS = 2_000  # The most characters that a person may write with a refusal.
VISITOR = gettext_noop("a visitor")  # The stored name of a person without an account.
OUTCOMES = {
    ApprovalKind.APPROVED: _("This call was already approved."),
    ApprovalKind.REFUSED: _("This call was already refused."),
    ApprovalKind.WITHDRAWN: _(
        "This call can no longer be approved, because the answer went on without it."
    ),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision on a call. `words` are for the model and go with a refusal."""

    call_id: str
    approved: bool
    words: str = ""

    @property
    def kind(self) -> ApprovalKind:
        return ApprovalKind.APPROVED if self.approved else ApprovalKind.REFUSED


@dataclass(frozen=True, slots=True)
class DecidedCall:
    """The outcome of a decision. `is_new` is false if the call was decided before; `resumes`: it
    was the last undecided call, so the generation goes on.
    """

    generation: Generation
    call_id: str
    is_new: bool = True
    resumes: bool = False


def decide(
    actor: Actor, conversation_id: UUID, generation_id: UUID, decision: Decision
) -> DecidedCall:
    """Record a decision; after the last decision of the round, queue the generation to go on.

    Repeating a decision is fine. Raise NotFound, or Conflict if a different decision was made
    before, or if the generation is not waiting for a decision.
    """
    words = _checked(decision.words)
    with transaction.atomic():
        conversation = access_conversation(actor, conversation_id, hold=True)
        generation = _own(conversation, generation_id)
        approvals = approvals_of(generation)
        if decision.call_id not in approvals:
            raise NotFound("call")
        if decided := approvals[decision.call_id].decision:
            return _again(generation, decided, decision.kind)
        _refuse_unless_waiting(conversation, generation)
        person = actor.user.get_username() if actor.user else VISITOR
        row = {"call_id": decision.call_id, "kind": decision.kind, "person": person}
        CallStage(generation=generation, words=words, **row).save()
        last = sum(each.is_undecided for each in approvals.values()) == 1
        if last:
            _queue(generation)
        return DecidedCall(generation, decision.call_id, resumes=last)


def calls_for_approval(generation: Generation) -> list[tuple[ToolCall, Approval]]:
    """Return all calls for which the generation ever asked approval, in order."""
    approvals = approvals_of(generation)
    if not approvals:
        return []
    rows = generation.messages.order_by("position")
    calls = [call for row in rows for call in row.as_core().tool_calls]
    return [(call, approvals[call.id]) for call in calls if call.id in approvals]


def decided_calls(generation: Generation) -> list[tuple[ToolCall, Approval]]:
    """Return the decided calls that a generation must handle first when it goes on, in order."""
    approvals = approvals_of(generation)
    return [(call, approvals[call.id]) for call in open_calls(generation) if call.id in approvals]


def _checked(words: str) -> str:
    if len(words) > MOST_CHARACTERS:
        sentence = gettext("The reason is too long. The limit is {most} characters.")
        raise Refused("too_long", sentence.format(most=f"{MOST_CHARACTERS:,}"))
    return checked_text(words) if words.strip() else ""


def _own(conversation: Conversation, generation_id: UUID) -> Generation:
    rows = conversation.generations.select_related("branch", "conversation__agent")
    generation = rows.filter(pk=generation_id).first()
    if generation is None:
        raise NotFound("answer")
    return generation


def _again(generation: Generation, decided: CallStage, kind: ApprovalKind) -> DecidedCall:
    if decided.kind != kind:
        raise Conflict("decided", str(OUTCOMES[ApprovalKind(decided.kind)]))
    return DecidedCall(generation, decided.call_id, is_new=False)


def _refuse_unless_waiting(conversation: Conversation, generation: Generation) -> None:
    if generation.status == GenerationStatus.RUNNING:
        raise Conflict("busy", gettext("Other tool calls are still running."))
    if not generation.is_waiting:
        raise Conflict("ended", gettext("The answer that made this call has ended."))
    if generation.branch_id != conversation.branch_id:
        raise Conflict("moved_on", gettext("That answer is not on the branch you are viewing."))
    if conversation.generations.filter(status__in=ACTIVE).exists():
        raise still_writing()


def _queue(generation: Generation) -> None:
    """Queue the generation with a fresh heartbeat, so that it doesn't look abandoned."""
    generation.status = GenerationStatus.QUEUED
    generation.heartbeat_at = timezone.now()
    generation.save(update_fields=["status", "heartbeat_at"])
    queued.send(Generation, generation=generation)

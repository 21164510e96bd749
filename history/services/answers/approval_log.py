"""Log the calls that a person decides about, and close those that are left undecided."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from history.core.transcript.messages import Role, ToolCall
from history.models import DECIDED, ApprovalKind, CallStage, Generation, Message
from history.services.path.appending import NewMessage, result_message
from history.services.prepared import field, prepared

REFUSED = "The user refused this call. It was not run."
UNDECIDED = "Not approved: {why}. It was not run."
NOT_BEGUN = "Approved, but {why} before it was run. It was not run."
UNKNOWN = "It is unknown whether this ran: {why} meanwhile. It is not repeated."


@dataclass(frozen=True, slots=True)
class Approval:
    """The state of one call that needs approval. `note` is added to the call's result."""

    asked: datetime
    note: str = ""
    decision: CallStage | None = None
    begun: datetime | None = None

    @property
    def is_undecided(self) -> bool:
        return self.decision is None

    def was(self, kind: ApprovalKind) -> bool:
        return self.decision is not None and self.decision.kind == kind


ByCall: TypeAlias = Mapping[str, Approval]
NO_APPROVALS: ByCall = {}
NOBODY_ASKED: Mapping[UUID, ByCall] = {}


def approvals_of(generation: Generation) -> ByCall:
    return _by_generation(stages_of(generation=generation.pk)).get(generation.pk, NO_APPROVALS)


@prepared(generation=field(CallStage, "generation"))
def stages_of(generation: Any) -> QuerySet[CallStage]:
    return CallStage.objects.filter(generation=generation).order_by("pk")


def approvals_by_generation(generations: Iterable[UUID]) -> Mapping[UUID, ByCall]:
    """Return the approvals of each generation that asked for any."""
    return _by_generation(CallStage.objects.filter(generation__in=generations).order_by("pk"))


def _by_generation(stages: Iterable[CallStage]) -> Mapping[UUID, ByCall]:
    rows: dict[UUID, dict[str, list[CallStage]]] = defaultdict(lambda: defaultdict(list))
    for row in stages:
        rows[row.generation_id][row.call_id].append(row)
    return {
        generation: {call: _read(rows) for call, rows in calls.items()}
        for generation, calls in rows.items()
    }


def _read(rows: Sequence[CallStage]) -> Approval:
    by_kind = {row.kind: row for row in rows}
    question, start = by_kind[ApprovalKind.ASKED], by_kind.get(ApprovalKind.BEGUN)
    decision = next((by_kind[kind] for kind in DECIDED if kind in by_kind), None)
    return Approval(question.created, question.words, decision, start.created if start else None)


def approvals_in(messages: Iterable[Message]) -> Mapping[UUID, ByCall]:
    """Return the approvals of the generations that called tools in these messages."""
    callers = {m.generation_id for m in messages if m.tool_calls and m.generation_id}
    return approvals_by_generation(callers) if callers else NOBODY_ASKED


def ask(generation: Generation, calls: Sequence[ToolCall], note: str = "") -> None:
    """Mark these calls as waiting for approval. The note is added to the last call's result."""
    CallStage.objects.bulk_create(
        CallStage(
            generation=generation,
            call_id=call.id,
            kind=ApprovalKind.ASKED,
            words=note if call is calls[-1] else "",
        )
        for call in calls
    )


def begin(generation: Generation, call: ToolCall) -> bool:
    """Record that a call begins; return True the first time only. `lifecycle.begin` calls this."""
    with transaction.atomic():
        _, is_new = CallStage.objects.get_or_create(
            generation=generation, call_id=call.id, kind=ApprovalKind.BEGUN
        )
    return is_new


def open_calls(generation: Generation) -> list[ToolCall]:
    """Return the calls of the newest round that have no result, in order."""
    rows = generation.messages.order_by("-position")
    answered: set[str] = set()
    for row in rows:
        if row.role == Role.TOOL:
            answered.add(row.tool_call_id)
        else:
            return [call for call in row.as_core().tool_calls if call.id not in answered]
    return []


def closing_messages(generation: Generation, why: str) -> list[NewMessage]:
    """Write results for calls that asked for approval and will never get a result of their own.

    Nobody can decide about these calls any more, and none is run. `why` is a clause such as "the
    answer was stopped".
    """
    approvals = approvals_of(generation)
    calls = [call for call in open_calls(generation) if call.id in approvals] if approvals else []
    CallStage.objects.bulk_create(
        CallStage(generation=generation, call_id=call.id, kind=ApprovalKind.WITHDRAWN)
        for call in calls
        if approvals[call.id].is_undecided
    )
    return [
        result_message(
            call, with_words(_closing(approvals[call.id], why), approvals[call.id].note, "\n")
        )
        for call in calls
    ]


def _closing(approval: Approval, why: str) -> str:
    if approval.is_undecided:
        return UNDECIDED.format(why=why)
    if approval.was(ApprovalKind.REFUSED):
        return refusal(approval)
    return (UNKNOWN if approval.begun else NOT_BEGUN).format(why=why)


def refusal(approval: Approval) -> str:
    """Return the result of a call that was refused."""
    words = approval.decision.words if approval.decision else ""
    return with_words(REFUSED, f"They said: {words}" if words else "", " ")


def with_words(text: str, words: str, between: str) -> str:
    return between.join(filter(None, (text, words)))

"""Calls that a person decides about: what they have reached, and what ends those left open."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from django.db import transaction

from history.core.messages import Role, ToolCall
from history.models import DECIDED, CallStage, Generation, Message, StageKind
from history.services.path.appending import NewMessage, result_draft

REFUSED = "The person refused this call. It was not run."
UNDECIDED = "Not approved: {why}. It was not run."
NOT_BEGUN = "Approved, but {why} before it was run. It was not run."
UNKNOWN = "It is unknown whether this ran: {why} meanwhile. It is not repeated."


@dataclass(frozen=True, slots=True)
class Stages:
    """Of one call that asks. `note` is what its result says besides."""

    asked: datetime
    note: str = ""
    decision: CallStage | None = None
    begun: datetime | None = None

    @property
    def is_undecided(self) -> bool:
        return self.decision is None

    def was(self, kind: StageKind) -> bool:
        return self.decision is not None and self.decision.kind == kind


ByCall: TypeAlias = Mapping[str, Stages]
NO_STAGES: ByCall = {}
NOBODY_ASKED: Mapping[UUID, ByCall] = {}


def stages_of(generation: Generation) -> ByCall:
    return stages_by_generation([generation.pk]).get(generation.pk, NO_STAGES)


def stages_by_generation(generations: Iterable[UUID]) -> Mapping[UUID, ByCall]:
    """Without those that asked for nothing."""
    rows: dict[UUID, dict[str, list[CallStage]]] = defaultdict(lambda: defaultdict(list))
    for row in CallStage.objects.filter(generation__in=generations).order_by("pk"):
        rows[row.generation_id][row.call_id].append(row)
    return {
        generation: {call: _read(stages) for call, stages in calls.items()}
        for generation, calls in rows.items()
    }


def _read(rows: Sequence[CallStage]) -> Stages:
    by_kind = {row.kind: row for row in rows}
    asked, begun = by_kind[StageKind.ASKED], by_kind.get(StageKind.BEGUN)
    decision = next((by_kind[kind] for kind in DECIDED if kind in by_kind), None)
    return Stages(asked.created, asked.words, decision, begun.created if begun else None)


def stages_in(messages: Iterable[Message]) -> Mapping[UUID, ByCall]:
    """Of the generations that called tools in these messages."""
    callers = {m.generation_id for m in messages if m.tool_calls and m.generation_id}
    return stages_by_generation(callers) if callers else NOBODY_ASKED


def ask(generation: Generation, calls: Sequence[ToolCall], note: str = "") -> None:
    """From here on they are a person's to decide. The result of the last one adds the note."""
    CallStage.objects.bulk_create(
        CallStage(
            generation=generation,
            call_id=call.id,
            kind=StageKind.ASKED,
            words=note if call is calls[-1] else "",
        )
        for call in calls
    )


def begin(generation: Generation, call: ToolCall) -> bool:
    """Whether the call may be run now: True once, and never again. Call it inside the fence."""
    with transaction.atomic():
        _, is_new = CallStage.objects.get_or_create(
            generation=generation, call_id=call.id, kind=StageKind.BEGUN
        )
    return is_new


def open_calls(generation: Generation) -> list[ToolCall]:
    """Those of the newest round that have no result, in order."""
    rows = generation.messages.order_by("-position")
    answered: set[str] = set()
    for row in rows:
        if row.role == Role.TOOL:
            answered.add(row.tool_call_id)
        else:
            return [call for call in row.as_core().tool_calls if call.id not in answered]
    return []


def closing_drafts(generation: Generation, why: str) -> list[NewMessage]:
    """Results for the calls that asked and will never have one of their own.

    Nobody can decide about them any more, and none is run. `why` goes on from "since".
    """
    stages = stages_of(generation)
    calls = [call for call in open_calls(generation) if call.id in stages] if stages else []
    CallStage.objects.bulk_create(
        CallStage(generation=generation, call_id=call.id, kind=StageKind.WITHDRAWN)
        for call in calls
        if stages[call.id].is_undecided
    )
    return [
        result_draft(call, with_words(_closing(stages[call.id], why), stages[call.id].note, "\n"))
        for call in calls
    ]


def _closing(stages: Stages, why: str) -> str:
    if stages.is_undecided:
        return UNDECIDED.format(why=why)
    if stages.was(StageKind.REFUSED):
        return refusal(stages)
    return (UNKNOWN if stages.begun else NOT_BEGUN).format(why=why)


def refusal(stages: Stages) -> str:
    """The result of a call that was refused."""
    words = stages.decision.words if stages.decision else ""
    return with_words(REFUSED, f"They said: {words}" if words else "", " ")


def with_words(text: str, words: str, between: str) -> str:
    return between.join(filter(None, (text, words)))

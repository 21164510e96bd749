"""Plan one request: read what may be sent, project it, and store the plan before sending."""

import json
import logging
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from django.db import IntegrityError

from history.core.plan.bonds import bond_of
from history.core.plan.injected import CONTINUE_INSTRUCTION, OPENING, SYSTEM_PROMPT
from history.core.plan.neutral_request import in_order, request_hash
from history.core.plan.plan import PLANNER_VERSION
from history.core.projection.opening import TEXT
from history.core.projection.project import Projection
from history.core.projection.prompts import prompts_of
from history.core.transcript.bond import Bond
from history.models import ContextPlan, Generation
from history.services.inserting import insert
from history.services.path.marks import marks_on
from history.services.planning.called import RequestParts, parameters_of
from history.services.planning.context_texts import context_of, offer_of, plans_since
from history.services.planning.projecting import PlanInput, project_turn
from history.services.planning.prompts import FIRST_PROMPT, RunningStep
from history.services.texts import store_texts, stored_text

logger = logging.getLogger("history")

TIGHTER = 75  # Percent of the budget, after a provider said that a request was too long.


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A plan whose record is not stored yet, and the parts of the request that it describes."""

    record: ContextPlan
    turn: PlanInput
    projection: Projection
    parts: RequestParts

    @property
    def bond(self) -> Bond | None:
        """What the reasoning of the answer will be bound to, if the model binds it."""
        taking = self.projection.plan.reasoning.taking
        items = in_order(self.projection.messages, self.projection.injected)
        return bond_of(items, self.turn.tools_digest, taking) if taking.bound_to else None


def plan_step(generation: Generation, step: int, percent: int = 100) -> PlannedStep:
    """Plan one request, without storing anything. Raise `CannotPlan` if none can be made."""
    started = perf_counter()
    turn = plan_input(generation, step, percent)
    path, projection, parts = project_turn(turn)
    record = ContextPlan(
        generation=generation,
        step=step,
        branch=turn.branch,
        head=max(projection.plan.counts.transcript - 1, 0),
        plan=projection.plan.as_dict(),
        marks=path.marks.as_dict(),
        checkpoints=[point.id for point in path.checkpoints],
        version=PLANNER_VERSION,
        milliseconds=round((perf_counter() - started) * 1000, 2),
    )
    record.core_plan = projection.plan
    return PlannedStep(record, turn, projection, parts)


def store_plan(planned: PlannedStep, body: dict[str, Any]) -> ContextPlan:
    """Store the plan before its request is sent, with all that is needed to rebuild its body. If an
    earlier try has stored the same plan, return that record.
    """
    record = planned.record
    record.parameters = parameters_of(planned.parts.model, body)
    record.texts = _texts(planned.turn, planned.projection, body)
    record.request_hash = request_hash(body)
    try:
        insert(record)
    except IntegrityError:
        if row := _stored_before(record):
            return row
        raise
    return record


def _stored_before(record: ContextPlan) -> ContextPlan | None:
    """Return the stored plan of the same step, if its request is the same."""
    step = ContextPlan.objects.filter(generation=record.generation, step=record.step)
    if row := step.filter(request_hash=record.request_hash).first():
        row.generation, row.core_plan = record.generation, record.core_plan
    return row


def plan_input(generation: Generation, step: int = 1, percent: int = 100) -> PlanInput:
    """Return a step's input now. After a generation's first step, the generation's own messages
    don't move the window, unless an earlier step had to move it, and a summary that was made
    meanwhile waits for the next generation.
    """
    turn = plan_input_at(generation, step)
    if step == 1:
        return replace(turn, percent=percent)
    begun_with = plans_since(generation, step).values_list("checkpoints", flat=True).first()
    earlier = generation.plans.filter(step__lt=step).order_by("-step")
    return replace(
        turn,
        checkpoints=None if begun_with is None else tuple(begun_with),
        settled=earlier.values_list("plan__settled", flat=True).first(),
        percent=percent,
        running=RunningStep(generation, step),
    )


def plan_input_at(generation: Generation, step: int) -> PlanInput:
    """Return a step's input, without what the steps before it have settled."""
    part = generation.snapshot_at(step)
    agent = part.agent
    took_over = part.step > 0  # Then the agent has no answer of its own to continue.
    return PlanInput(
        branch=generation.branch,
        number=generation.turn,
        agent=agent,
        settings=part.settings,
        prompt=stored_text(agent.system_prompt),
        continues=generation.kind == Generation.Kind.CONTINUE and not took_over,
        marks=marks_on(generation.branch),
        factor=part.factor,
        processors=agent.processors,
        context=context_of(generation, step),
        offer=offer_of(agent),
    )


def _texts(turn: PlanInput, projection: Projection, body: dict[str, Any]) -> dict[str, str]:
    """Store the texts that the transcript does not contain, and return their hashes."""
    shared = {"tools": json.dumps(body["tools"], sort_keys=True)} if body.get("tools") else {}
    if turn.continues:
        shared["continue"] = CONTINUE_INSTRUCTION
    if any(message.label == OPENING for message in projection.messages):
        shared[OPENING] = TEXT
    own = {text.label: text.text for text in projection.injected if text.is_summary}
    if turn.context:
        own |= {text.label: text.text for text in turn.context.texts}
    shared |= _kept_prompts(turn, projection)
    hashes = store_texts(shared, own, turn.branch.conversation_id)
    return {FIRST_PROMPT: turn.agent.system_prompt, **hashes}


def _kept_prompts(turn: PlanInput, projection: Projection) -> dict[str, str]:
    """Return the system prompts that are sent, by name; empty if there is only the present one."""
    prompts = {text.label: text.text for text in prompts_of(projection.injected)}
    first = prompts.pop(SYSTEM_PROMPT, "")
    return {FIRST_PROMPT: first, **prompts} if prompts or first != turn.prompt else {}

"""Plan one request: read what may be sent, project it, and store the plan before sending."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import Any

from agents.context import ContextTexts
from agents.effective import Output
from agents.mcp import NO_OFFER, Offer
from agents.snapshot import AgentSnapshot
from agents.tools import schemas
from history.core.money.cache import slides
from history.core.plan.bonds import bond_of
from history.core.plan.injected import CONTINUE_INSTRUCTION, OPENING
from history.core.plan.neutral_request import in_order, lasting, openai_messages, request_hash
from history.core.plan.plan import PLANNER_VERSION, digest
from history.core.projection.invariants import check
from history.core.projection.opening import TEXT
from history.core.projection.project import Projection
from history.core.projection.request import ProjectionRequest
from history.core.settings.resolved import Settings
from history.core.stages.processors import parse_levels
from history.core.summaries.checkpoints import chain_hash
from history.core.transcript.bond import Bond
from history.core.words.facts import Note
from history.models import Branch, ContextPlan, Generation
from history.services.path.marks import NO_MARKS, Marks, marks_on
from history.services.path.transcripts import Path, path_of, project_path
from history.services.planning.abilities import model_facts
from history.services.planning.behind import plan_behind
from history.services.planning.called import RequestParts, parameters_of
from history.services.planning.context_texts import (
    context_now,
    context_of,
    injected_texts,
    offer_of,
    plans_since,
)
from history.services.planning.output import Asked, asked_of
from history.services.planning.unsent import not_taken
from history.services.summaries.due import is_rested
from history.services.texts import store_texts, stored_text
from history.tokens import REPLY_PRIMING, count_text, count_tools, counter_name

logger = logging.getLogger("history")

TIGHTER = 75  # Percent of the budget, after a provider said that a request was too long.


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A plan whose record is not stored yet, and the parts of the request that it describes."""

    record: ContextPlan
    turn: "PlanInput"
    projection: Projection
    parts: RequestParts

    @property
    def bond(self) -> Bond | None:
        """What the reasoning of the answer will be bound to, if the model binds it."""
        model = self.projection.plan.reasoning.taking.bound_to
        items = in_order(self.projection.messages, self.projection.injected)
        return bond_of(items, self.turn.tools_digest, model) if model else None


@dataclass(frozen=True, slots=True)
class PlanInput:
    """The input of a projection: a path, and what the agent and the settings say about it.

    `number` is the path's newest turn. `settled` and `percent` are as in `ProjectionRequest`;
    `checkpoints` names those that applied to a plan of the past, None means all that apply now;
    `context` holds a generation's texts, None means today's; `offer` the MCP tools. `withheld`
    is as in `model_facts`.
    """

    branch: Branch
    number: int
    agent: AgentSnapshot
    settings: Settings
    prompt: str
    continues: bool = False
    marks: Marks = NO_MARKS
    checkpoints: tuple[int, ...] | None = None
    settled: int | None = None
    factor: float = 1.0
    percent: int = 100
    processors: Mapping[str, Any] = field(default_factory=dict)
    context: ContextTexts | None = None
    offer: Offer = NO_OFFER
    withheld: str | None = None

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools' schemas, in OpenAI's format."""
        own = schemas(self.agent.tools) + self.offer.schemas()
        return own + [tool.schema for tool in (*self.agent.asks, *self.agent.transfers)]

    @property
    def tools_digest(self) -> str:
        return digest(json.dumps(self.tools, sort_keys=True)) if self.tools else ""

    @property
    def asked(self) -> Asked:
        return asked_of(Output.of_agent(self.agent), self.settings)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on tools, agents and parameters that are left out."""
        unsent = not_taken(Output.of_agent(self.agent), self.agent.temperature, self.settings)
        return (*self.offer.notes, *self.agent.notes, *unsent)


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
    """Store the plan before its request is sent, with all that is needed to rebuild its body."""
    record = planned.record
    record.parameters = parameters_of(planned.parts.model, body)
    record.texts = _texts(planned.turn, planned.projection, body)
    record.request_hash = request_hash(body)
    record.save()
    return record


def plan_input(generation: Generation, step: int = 1, percent: int = 100) -> PlanInput:
    """Return a step's input now. After a generation's first step its own messages move no window,
    unless an earlier step had to, and a summary made meanwhile waits for the next generation.
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


def project_turn(turn: PlanInput) -> tuple[Path, Projection, RequestParts]:
    """Project the path as it is; also return the parts of the request. Store nothing."""
    path, request = request_of(turn)
    transcript, projection = project_path(path, request)
    check(transcript, projection)
    tools, asked = turn.tools, turn.asked
    parts = RequestParts(
        model=turn.agent.model,
        messages=openai_messages(projection.messages, projection.injected),
        tools=tools,
        temperature=turn.agent.temperature,
        max_tokens=asked.max_tokens,
        reasoning_effort=asked.effort,
        slides=slides(projection.plan) and not tools,  # The next round reads the end again.
        lasting=lasting(projection.messages, projection.injected),
    )
    return path, projection, parts


def request_of(turn: PlanInput) -> tuple[Path, ProjectionRequest]:
    """Return the path as it is, and the request for its projection."""
    tools, chain, model = turn.tools, chain_hash(turn.processors), turn.agent.model
    path = path_of(turn.number, turn.branch, turn.marks, chain, turn.checkpoints)
    context = turn.context or context_now(turn.agent, turn.branch, turn.number)
    asked = turn.asked
    request = ProjectionRequest(
        settings=asked.settings,
        injected=injected_texts(turn.prompt, context, continues=turn.continues),
        notes=context.notes + turn.notes + path.notes,
        tool_schema_tokens=count_tools(tools) + REPLY_PRIMING,
        tool_schema_digest=turn.tools_digest,
        counter=counter_name(model),
        levels=parse_levels(turn.processors),
        pins=turn.marks.pins,
        exclusions=turn.marks.exclusions,
        checkpoints=path.checkpoints,
        settled=turn.settled,
        factor=turn.factor,
        percent=turn.percent,
        count=count_text,
        waits=_waits(turn),
        behind=partial(plan_behind, turn.branch),
        **model_facts(asked.effort, model, turn.factor, turn.withheld),
    )
    return path, request


def _waits(turn: PlanInput) -> bool:
    """Whether a due summary must wait; looked up only if a plan would say that one is due."""
    by_budget = turn.settings.value("pruner") == "summarize"
    return by_budget and not is_rested(turn.branch.conversation_id, turn.settings)


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
    hashes = store_texts(shared, own, turn.branch.conversation_id)
    return {"system_prompt": turn.agent.system_prompt, **hashes}

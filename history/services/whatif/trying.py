"""Try one request, past or upcoming, under a few variants side by side: other settings, other
processors, another model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings as site

from agents.catalogue import catalogue
from agents.effective import Output, contradictions
from agents.mcp.offer import offer_from
from agents.models import AgentTemplate, built_in_layer
from agents.snapshot import AgentSnapshot, snapshot
from history.core.money.cache import AnsweredRequest, Prediction, predict
from history.core.plan.comparison import VerdictChange, changes
from history.core.plan.plan import Plan
from history.core.settings.resolution import for_model, overridden
from history.core.settings.resolved import Settings
from history.core.stages.processors import parse_levels
from history.core.words.errors import CannotPlan, SettingError
from history.models import ContextPlan, Conversation
from history.services.access import Actor
from history.services.errors import NotFound
from history.services.explain.cost.previous import is_cold, request_before
from history.services.explain.lookup import last_turn, newest_query, shown_plan
from history.services.explain.raw.request import turn_then
from history.services.path.marks import marks_on
from history.services.planning.context_texts import context_now
from history.services.planning.projecting import PlanInput, project_turn
from history.services.settings.answerer import answering
from history.services.settings.calibration import factor_of
from history.services.settings.layers import resolve_settings
from history.wording.faults import word_supposed_error


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """A request to try. `plan` is the recorded plan, None for an upcoming request; `before` is the
    request before this one. `output` is the answer's tokens by the model's count; `cold`: the cache
    had expired before the request.
    """

    turn: PlanInput
    step: int | None = None
    plan: Plan | None = None
    output: int = 0
    cold: bool = False
    before: "PlannedRequest | None" = None


def recorded(record: ContextPlan) -> PlannedRequest:
    """Load a record with the request before it, which decides what a cache contained."""
    before = request_before(record)
    return replace(_planned(record), before=_planned(before) if before else None)


def present(
    conversation: Conversation, edited: AgentTemplate | None = None, query: str | None = None
) -> PlannedRequest:
    """Return the request that a message of the owner would make now on the open branch, sent from
    an address with this query; None is the query of the newest message. `edited`, if given, answers
    instead of the stored template.
    """
    if conversation.branch is None:
        raise NotFound("plan")
    settings, agent = present_settings(conversation, edited, query)
    number = last_turn(conversation)
    turn = PlanInput(
        branch=conversation.branch,
        number=number,
        agent=agent,
        settings=settings,
        prompt=agent.system_prompt,
        marks=marks_on(conversation.branch),
        factor=factor_of(agent.model).value,
        processors=agent.processors,
        offer=offer_from(agent.mcp),
        context=context_now(agent, conversation.branch, number),
        is_upcoming=True,
    )
    return PlannedRequest(turn, before=_newest(conversation))


def present_settings(
    conversation: Conversation, edited: AgentTemplate | None = None, query: str | None = None
) -> tuple[Settings, AgentSnapshot]:
    """Return what `present` plans with: the settings, and the agent that answers."""
    template = edited or answering(conversation)
    network = conversation.network
    is_member = network is not None and template.slug in network.members
    agent = snapshot(template, network=network if is_member else None, model=conversation.model)
    query = newest_query(conversation) if query is None else query
    owner = Actor(conversation.owner, conversation.visitor)
    return resolve_settings(template, owner, query, conversation), agent


def _newest(conversation: Conversation) -> PlannedRequest | None:
    try:
        return _planned(shown_plan(conversation))
    except NotFound:
        return None


def _planned(record: ContextPlan) -> PlannedRequest:
    outcome = getattr(record, "outcome", None)
    usage = outcome.usage if outcome else None
    output = usage["completion"] if usage else 0
    cold = record.step == 1 and is_cold(record)
    return PlannedRequest(turn_then(record), record.step, record.core_plan, output, cold)


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant. All that it leaves out is unchanged; `source` is its name as a settings source."""

    name: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    processors: Mapping[str, Any] | None = None
    model: str = ""
    source: str = "what if"


AS_IT_IS = Variant("as it is")


def varied(turn: PlanInput, variant: Variant) -> PlanInput:
    """Return the same turn under the variant. Raise `SettingErrors` or `SettingError`."""
    turn = _asking(turn, variant.model) if variant.model else turn
    settings = reserving_settings(turn.settings, turn.agent, variant)
    processors = turn.processors
    if variant.processors is not None:
        parse_levels(variant.processors)
        processors = variant.processors
    return replace(turn, settings=settings, processors=processors, prompts=None)


def tried_settings(settings: Settings, variant: Variant) -> Settings:
    """Return a request's settings under the variant. Raise `SettingErrors`."""
    if variant.model:
        settings = for_model(settings, built_in_layer(variant.model), site.HISTORY_CAPS)
    return overridden(settings, variant.settings, variant.source, site.HISTORY_CAPS)


def reserving_settings(settings: Settings, agent: AgentSnapshot, variant: Variant) -> Settings:
    """Return `tried_settings` with the tokens reserved that an answer of the tried model needs."""
    output = Output.of_agent(replace(agent, model=variant.model or agent.model))
    return output.reserving(tried_settings(settings, variant))


def _asking(turn: PlanInput, model: str) -> PlanInput:
    """Switch to another model, with its context window and its own count of tokens."""
    if fault := catalogue().fault(model):
        raise SettingError(f"model={model}: {fault}")
    return replace(turn, agent=replace(turn.agent, model=model), factor=factor_of(model).value)


@dataclass(frozen=True, slots=True)
class TriedVariant:
    """The request under one variant. If it would not fit, it has no plan; `refused` says why.

    `changes` are relative to the original request; `conflicts` are settings that contradict each
    other.
    """

    variant: Variant
    agent: AgentSnapshot
    settings: Settings
    plan: Plan | None = None
    prediction: Prediction | None = None
    changes: tuple[VerdictChange, ...] = ()
    refused: str = ""

    @property
    def conflicts(self) -> tuple[str, ...]:
        return contradictions(self.settings, Output.of_agent(self.agent))


def try_variants(request: PlannedRequest, variants: Sequence[Variant]) -> tuple[TriedVariant, ...]:
    """Return the original request, then each variant. No model is called and nothing is stored.

    Raise `SettingError` and `SettingErrors` for an invalid variant.
    """
    turns = [varied(request.turn, variant) for variant in variants]
    first = _as_it_is(request)
    return (first, *map(lambda v, t: _tried(request, v, t, first.plan), variants, turns))


def _as_it_is(request: PlannedRequest) -> TriedVariant:
    """Return the original request. A record stays as it was; its prediction says what a cache
    should have done.
    """
    if request.plan is None:
        return _tried(request, AS_IT_IS, request.turn, None)
    before = request.before.plan if request.before else None
    prediction = _predicted(request, request.turn, before, request.plan)
    return TriedVariant(
        AS_IT_IS, request.turn.agent, request.turn.settings, request.plan, prediction
    )


def _tried(
    request: PlannedRequest, variant: Variant, turn: PlanInput, as_it_is: Plan | None
) -> TriedVariant:
    try:
        plan = _plan(turn)
    except CannotPlan as refusal:
        return TriedVariant(
            variant, turn.agent, turn.settings, refused=word_supposed_error(refusal)
        )
    prediction = _predicted(request, turn, _before(request, variant), plan)
    differences = changes(as_it_is, plan) if as_it_is else ()
    return TriedVariant(variant, turn.agent, turn.settings, plan, prediction, differences)


def _before(request: PlannedRequest, variant: Variant) -> Plan | None:
    """Plan the previous request under the same variant; None if there is none or it doesn't fit."""
    if request.before is None:
        return None
    try:
        return _plan(varied(request.before.turn, variant))
    except CannotPlan:
        return None


def _predicted(
    request: PlannedRequest, turn: PlanInput, before: Plan | None, plan: Plan
) -> Prediction:
    tools = bool(turn.tools)
    model, models = turn.agent.model, catalogue()
    prices, breakpoints = models.prices(model), models.wants_cache_breakpoints(model)
    ahead = [AnsweredRequest(before, tools=tools)] if before else []
    requests = [*ahead, AnsweredRequest(plan, request.output, request.cold, tools)]
    return predict(requests, prices, breakpoints=breakpoints)[-1]


def _plan(turn: PlanInput) -> Plan:
    _, projection, _ = project_turn(turn)
    return projection.plan

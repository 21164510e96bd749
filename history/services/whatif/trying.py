"""Try one request under a few variants side by side: other settings, processors, another model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agents.catalogue import catalogue
from agents.contradictions import contradictions
from agents.models import built_in_layer
from history.core.errors import CannotPlan, SettingError
from history.core.money.cache import AnsweredRequest, Prediction, predict
from history.core.plan.comparison import VerdictChange, changes
from history.core.plan.plan import Plan
from history.core.settings.resolution import for_model, overridden
from history.core.settings.resolved import Settings
from history.core.stages.processors import parse_levels
from history.services.planning.planning import PlanInput, project_turn
from history.services.settings.calibration import factor_of
from history.services.whatif.planned_request import PlannedRequest


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant; what it leaves out stays unchanged. `source` names the asker among the layers."""

    name: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    processors: Mapping[str, Any] | None = None
    model: str = ""
    source: str = "what if"


AS_IT_IS = Variant("as it is")


def varied(turn: PlanInput, variant: Variant) -> PlanInput:
    """Return the same turn under the variant. Raise `SettingErrors` and `SettingError`."""
    turn = _asking(turn, variant.model) if variant.model else turn
    processors = turn.processors
    if variant.processors is not None:
        parse_levels(variant.processors)
        processors = variant.processors
    settings = overridden(turn.settings, variant.settings, variant.source)
    return replace(turn, settings=settings, processors=processors)


def _asking(turn: PlanInput, model: str) -> PlanInput:
    """Switch to another model, with its window and its own token count."""
    if fault := catalogue().fault(model):
        raise SettingError(f"model={model}: {fault}")
    settings: Settings = for_model(turn.settings, built_in_layer(model))
    agent = {**turn.agent, "model": model}
    return replace(turn, agent=agent, settings=settings, factor=factor_of(model).value)


@dataclass(frozen=True, slots=True)
class TriedVariant:
    """The request under one variant. It has no plan if it would not fit; `refused` says so.

    `changes` are relative to the original request; `conflicts` are settings that contradict each
    other.
    """

    variant: Variant
    agent: Mapping[str, Any]
    settings: Settings
    plan: Plan | None = None
    prediction: Prediction | None = None
    changes: tuple[VerdictChange, ...] = ()
    refused: str = ""

    @property
    def conflicts(self) -> tuple[str, ...]:
        return contradictions(self.settings)


def tried(request: PlannedRequest, variants: Sequence[Variant]) -> tuple[TriedVariant, ...]:
    """Return the original request, then each variant. No model is called and nothing is stored.

    Raise `SettingError` and `SettingErrors` for an invalid variant.
    """
    turns = [varied(request.turn, variant) for variant in variants]
    first = _as_it_is(request)
    return (first, *map(lambda v, t: _tried(request, v, t, first.plan), variants, turns))


def _as_it_is(request: PlannedRequest) -> TriedVariant:
    """Return the original. A record stays as it was; its prediction is what a cache should have
    done.
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
        return TriedVariant(variant, turn.agent, turn.settings, refused=str(refusal))
    prediction = _predicted(request, turn, _before(request, variant), plan)
    found = changes(as_it_is, plan) if as_it_is else ()
    return TriedVariant(variant, turn.agent, turn.settings, plan, prediction, found)


def _before(request: PlannedRequest, variant: Variant) -> Plan | None:
    """Plan the request before it under the variant too."""
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
    model, known = str(turn.agent["model"]), catalogue()
    ahead = [AnsweredRequest(before, tools=tools)] if before else []
    requests = [*ahead, AnsweredRequest(plan, request.output, request.cold, tools)]
    return predict(requests, known.prices(model), marks=known.wants_cache_breakpoints(model))[-1]


def _plan(turn: PlanInput) -> Plan:
    _, projection, _ = project_turn(turn)
    return projection.plan

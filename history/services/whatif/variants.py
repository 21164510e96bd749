"""What somebody wants to try: other settings, other processors, another model."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agents.catalogue import catalogue
from agents.layers import built_in_layer
from history.core.errors import SettingError
from history.core.settings.overriding import for_model, overridden
from history.core.settings.resolved import Settings
from history.core.stages.processors import parse_levels
from history.services.planning.planning import PlanInput
from history.services.settings.calibration import factor_of


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

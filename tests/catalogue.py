"""A catalogue of models for tests; a test replaces the facts that it needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agents.catalogue import Catalogue, ModelFacts, ModelLimits
from history.core.money.cost import Prices
from history.core.settings.output import OutputRules
from history.core.transcript.reasoning_accepted import ReasoningAccepted

KNOWN = {
    "tiny/model": ModelLimits(4_096, 4_096),
    "small/model": ModelLimits(16_000, 1_000),
    "large/model": ModelLimits(128_000, 16_000),
}


@dataclass
class StandIn:
    """A catalogue that starts with the facts of another one; a test may replace each of them."""

    limits: Callable[[str], ModelLimits]
    facts: Callable[[str], ModelFacts]
    names: Callable[[], list[str]]
    fault: Callable[[str], str]
    key_missing: Callable[[str], str | None]
    prices: Callable[[str], Prices]
    priced_as: Callable[[str], str]
    takes_images: Callable[[str], bool]
    taking_of: Callable[[str, str | None], ReasoningAccepted]
    takes_new_prompts: Callable[[str], bool]
    takes_effort: Callable[[str], bool | None]
    output_rules: Callable[[str, str | None], OutputRules]
    wants_cache_breakpoints: Callable[[str], bool]
    not_taken: Callable[[str, Mapping[str, Any]], tuple[str, ...]]

    @classmethod
    def of(cls, known: Catalogue) -> "StandIn":
        return cls(
            known.limits,
            known.facts,
            known.names,
            known.fault,
            known.key_missing,
            known.prices,
            known.priced_as,
            known.takes_images,
            known.taking_of,
            known.takes_new_prompts,
            known.takes_effort,
            known.output_rules,
            known.wants_cache_breakpoints,
            known.not_taken,
        )

    def know_three_models(self) -> None:
        self.limits = lambda model: KNOWN.get(model, ModelLimits())

    def know_their_providers(self) -> None:
        known = {"tiny", "small", "large", "local", "gemini"}
        self.fault = lambda model: "" if model.partition("/")[0] in known else "no such provider"

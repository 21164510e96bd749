"""What is known of models before any call. The app registers its catalogue when it starts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from history.core.money.cost import UNPRICED, Prices
from history.core.settings.output import OutputRules
from history.core.transcript.reasoning_accepted import ReasoningAccepted


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """A model's limits in tokens; None if the catalogue does not know."""

    context_window: int | None = None
    max_output: int | None = None


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """All that is known of a model. None means unknown; `is_known` is False if nothing is known."""

    limits: ModelLimits = ModelLimits()
    prices: Prices = UNPRICED
    images: bool | None = None
    reasoning: bool | None = None
    tools: bool | None = None
    is_known: bool = False


class Catalogue(Protocol):
    def limits(self, model: str) -> ModelLimits: ...

    def facts(self, model: str) -> ModelFacts: ...

    def names(self) -> list[str]:
        """Return the names that a person can choose from: the models of all providers that can be
        called.
        """

    def fault(self, model: str) -> str:
        """Say why a model cannot be called at all.

        Empty if a call might succeed, even for a model that is not listed.
        """

    def key_missing(self, model: str) -> str | None:
        """Return the name of the environment variable for the model's key, if it is needed and not
        set; an empty text if the key belongs on the page of a stored provider.

        Return None if the model can be asked.
        """

    def prices(self, model: str) -> Prices:
        """Return the model's present prices."""

    def priced_as(self, model: str) -> str:
        """Name the model whose prices are shown as an example for the free demo model.

        Empty for all other models.
        """

    def takes_images(self, model: str) -> bool:
        """Whether the model takes images; True if unknown."""

    def not_taken(self, model: str, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        """Name the parameters that will not be sent because the model doesn't take them."""

    def taking_of(self, model: str, effort: str | None) -> ReasoningAccepted:
        """Return the rules by which the model accepts earlier reasoning, if it reasons with this
        effort.
        """

    def takes_new_prompts(self, model: str) -> bool:
        """Whether the model takes system messages later than at the start of a conversation."""

    def takes_effort(self, model: str) -> bool | None:
        """Whether the model's server accepts or ignores a reasoning effort for this model.

        None if the server refuses an effort for some models and perhaps for this one.
        """

    def output_rules(self, model: str, effort: str | None) -> OutputRules:
        """Return the provider's rules for the answer's length at this reasoning effort."""

    def wants_cache_breakpoints(self, model: str) -> bool:
        """Whether the provider caches only up to cache breakpoints."""


_registered: list[Catalogue] = []


def register_catalogue(models: Catalogue) -> None:
    """Replace the registered catalogue."""
    _registered[:] = [models]


def catalogue() -> Catalogue:
    return _registered[0]

"""What is known of models before they are called. The app registers its catalogue when it
starts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from history.core.money.cost import Prices


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """Limits in tokens; None if the catalogue does not know."""

    context_window: int | None = None
    max_output: int | None = None


class Catalogue(Protocol):
    def limits(self, model: str) -> ModelLimits: ...

    def fault(self, model: str) -> str:
        """Say why a model cannot be called at all; empty if it might be, even if it is not
        listed.
        """

    def prices(self, model: str) -> Prices:
        """Return the present prices."""

    def takes_images(self, model: str) -> bool:
        """Whether it takes images; True if that is not known."""

    def not_taken(self, model: str, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        """Name the parameters that will not be sent because the model doesn't take them."""

    def wants_cache_breakpoints(self, model: str) -> bool:
        """Whether the provider caches only up to a mark."""


_registered: list[Catalogue] = []


def register_catalogue(known: Catalogue) -> None:
    """Replace the registered catalogue."""
    _registered[:] = [known]


def catalogue() -> Catalogue:
    (known,) = _registered
    return known

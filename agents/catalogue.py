"""What is known of models before they are asked. The app registers its catalogue when it starts."""

from dataclasses import dataclass
from typing import Protocol

from history.core.money.cost import Prices


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """In tokens; None where the catalogue does not know."""

    context_window: int | None = None
    max_output: int | None = None


class Catalogue(Protocol):
    def limits(self, model: str) -> ModelLimits: ...

    def fault(self, model: str) -> str:
        """Why a model cannot be asked at all; empty where it might be, though it is not listed."""
        ...

    def prices(self, model: str) -> Prices:
        """As they are now."""
        ...

    def wants_marks(self, model: str) -> bool:
        """Whether the provider caches only as far as a mark."""
        ...


_registered: list[Catalogue] = []


def register_catalogue(known: Catalogue) -> None:
    """In the place of the one before."""
    _registered[:] = [known]


def catalogue() -> Catalogue:
    (known,) = _registered
    return known

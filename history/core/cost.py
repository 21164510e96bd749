"""What a request cost: its tokens by kind, and their money where the prices are known.

`fresh = prompt - cache_read - cache_write`. What is not known stays unknown and is never 0.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

PRECISION = 10  # Decimals of money: a token of the cheapest model is worth 1e-8.


@dataclass(frozen=True, slots=True)
class Prices:
    """Money per token, None where unknown. `minimum` is the shortest prefix that is cached.

    A provider that writes its cache for nothing has the price of fresh input as `cache_write`.
    """

    input: float | None = None
    output: float | None = None
    cache_read: float | None = None
    cache_write: float | None = None
    minimum: int = 1024

    @property
    def writes_cost_more(self) -> bool:
        """Then marking a prefix that is never read again is a loss."""
        return None not in {self.input, self.cache_write} and self.cache_write != self.input

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


UNKNOWN = Prices()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as a provider reported them; `prompt` holds what was read and written, too."""

    prompt: int
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def fresh(self) -> int | None:
        """None where the figures contradict each other."""
        fresh = self.prompt - self.cache_read - self.cache_write
        return fresh if min(fresh, self.cache_read, self.cache_write, self.output) >= 0 else None

    @classmethod
    def from_dict(cls, data: Mapping[str, int]) -> "Usage":
        names = ("prompt", "output", "cache_read", "cache_write")
        return cls(**{name: data.get(name) or 0 for name in names})


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens by kind, and the money of each; `total` is None where any part is unknown."""

    fresh: int | None
    cache_read: int
    cache_write: int
    output: int
    money: Mapping[str, float | None]

    @property
    def total(self) -> float | None:
        return total(self.money.values())

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "total": self.total}


def cost_of(usage: Usage, prices: Prices) -> Cost:
    money = {
        "fresh": _money(usage.fresh, prices.input),
        "cache_read": _money(usage.cache_read, prices.cache_read),
        "cache_write": _money(usage.cache_write, prices.cache_write),
        "output": _money(usage.output, prices.output),
    }
    return Cost(usage.fresh, usage.cache_read, usage.cache_write, usage.output, money)


def total(parts: Any) -> float | None:
    """The sum, or None where a part is unknown."""
    known = list(parts)
    return None if None in known else round(sum(known), PRECISION)


def _money(tokens: int | None, price: float | None) -> float | None:
    if tokens == 0:
        return 0.0
    return None if tokens is None or price is None else round(tokens * price, PRECISION)

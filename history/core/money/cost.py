"""Work out what a request costs: its tokens by kind, and the money if all its prices are known.

Money is in US dollars and exact. What is unknown stays unknown (None, shown as a dash) and never
becomes 0.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any

CURRENCY = "USD"
UNKNOWN = "\N{EM DASH}"
NONSENSE = "the provider reported more cached tokens than the prompt had"


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars per token. None means that a price is unknown, except for `cache_write`: there it
    means that writing costs nothing extra.

    `cache_minimum` is the shortest prefix, in tokens, that the provider caches. `beyond` has, in
    rising order, numbers of tokens, each with the prices of a whole request whose prompt exceeds
    it.
    """

    input: Decimal | None = None
    output: Decimal | None = None
    cache_read: Decimal | None = None
    cache_write: Decimal | None = None
    cache_minimum: int | None = None
    beyond: tuple[tuple[int, "Prices"], ...] = ()

    def at(self, prompt: int) -> "Prices":
        """Return the prices that apply to a prompt of this many tokens."""
        passed = [prices for bound, prices in self.beyond if prompt > bound]
        return passed[-1] if passed else self

    @property
    def is_free(self) -> bool:
        """Whether every request is known to be free, however many tokens it has."""
        amounts = (self.input, self.output, self.cache_read)
        is_free = all(price == 0 for price in amounts) and not self.cache_write
        return is_free and all(prices.is_free for _, prices in self.beyond)


UNPRICED = Prices()
_ZERO = Decimal(0)
FREE = Prices(_ZERO, _ZERO, _ZERO, _ZERO)


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one request. `prompt` includes those read from the cache and written to it."""

    prompt: int
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0

    @classmethod
    def reported(cls, report: Mapping[str, int]) -> "Usage":
        """Read the usage in a `RequestOutcome`. If a provider reports nothing about its cache,
        assume that nothing was read from it.
        """
        return cls(
            prompt=report["prompt"],
            cache_read=report.get("cache_read", 0),
            cache_write=report.get("cache_write", 0),
            output=report["completion"],
        )

    @property
    def fresh(self) -> int | None:
        """The prompt's tokens that were neither read from the cache nor written to it; None if the
        figures contradict each other.
        """
        rest = self.prompt - self.cache_read - self.cache_write
        return rest if min(rest, self.cache_read, self.cache_write) >= 0 else None


@dataclass(frozen=True, slots=True)
class CostShare:
    """The tokens of one kind in a request, and their cost."""

    tokens: int | None
    money: Decimal | None


@dataclass(frozen=True, slots=True)
class Cost:
    fresh: CostShare
    cache_read: CostShare
    cache_write: CostShare
    output: CostShare
    note: str = ""

    @property
    def total(self) -> Decimal | None:
        """The sum of all shares; None if one of them is unknown."""
        return total(share.money for share in self.shares.values())

    @property
    def shares(self) -> dict[str, CostShare]:
        names = [field.name for field in fields(self) if field.name != "note"]
        return {name: getattr(self, name) for name in names}

    def as_dict(self) -> dict[str, Any]:
        """Return JSON data. Money is a decimal number written as text, so that it stays exact."""
        return {
            "currency": CURRENCY,
            "total": plain(self.total),
            **{
                name: {"tokens": share.tokens, "money": plain(share.money)}
                for name, share in self.shares.items()
            },
        }


# The cost of a request to a free model, for any number of tokens.
_GIVEN = CostShare(None, _ZERO)
FREE_OF_CHARGE = Cost(_GIVEN, _GIVEN, _GIVEN, _GIVEN)


def cost_of(usage: Usage, prices: Prices) -> Cost:
    """Work out the cost at the prices that apply to a prompt of this length."""
    now = prices.at(usage.prompt)
    return Cost(
        fresh=share_of(usage.fresh, now.input),
        cache_read=share_of(usage.cache_read, now.cache_read),
        cache_write=share_of(usage.cache_write, now.cache_write),
        output=share_of(usage.output, now.output),
        note=NONSENSE if usage.fresh is None else "",
    )


def total(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """Add up amounts; return None if one of them is unknown."""
    values = list(amounts)
    sums = [money for money in values if money is not None]
    return sum(sums, _ZERO) if len(sums) == len(values) else None


def dollars(money: Decimal | None) -> str:
    """Round to three significant digits, and at least to cents: `$0.00421`, `$12.30`; a dash if the
    amount is unknown.
    """
    if money is None:
        return UNKNOWN
    return f"${money:,.{max(2, 2 - money.adjusted()) if money else 2}f}"


def plain(money: Decimal | None) -> str | None:
    """Write a number without an exponent or trailing zeros."""
    return None if money is None else format(money.normalize(), "f")


def priced(tokens: int, price: Decimal | None) -> Decimal | None:
    """Multiply tokens by a price; no tokens cost nothing, even if the price is unknown."""
    if not tokens:
        return _ZERO
    return None if price is None else tokens * price


def share_of(tokens: int | None, price: Decimal | None) -> CostShare:
    """Price the tokens of one kind; a count that is unknown or negative has no known cost."""
    is_known = tokens is not None and tokens >= 0
    return CostShare(tokens, priced(tokens or 0, price) if is_known else None)

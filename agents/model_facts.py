"""What is known of a model, in words for the person who chooses one."""

from collections.abc import Iterator
from decimal import Decimal

from django.utils.translation import gettext as _

from agents.catalogue import ModelFacts
from history.core.money.cost import Prices
from history.core.words.wording import number

PER = 1_000_000  # Prices are shown per this many tokens.
PRICES = ("input", "output", "cache_read", "cache_write")


def described(facts: ModelFacts) -> str:
    """Describe a model's window, prices and abilities, or say that nothing is known of it."""
    if not facts.is_known:
        return _(
            "No list knows this model, so its window is assumed and its price is unknown. Enter "
            "them under “Known models”."
        )
    return " · ".join(_parts(facts))


def _parts(facts: ModelFacts) -> Iterator[str]:
    if window := facts.limits.context_window:
        yield _("{tokens} tokens").format(tokens=number(window))
    if facts.prices.input is not None and facts.prices.output is not None:
        yield _("${input} in, ${output} out per million").format(
            input=_dollars(facts.prices.input), output=_dollars(facts.prices.output)
        )
    if facts.images:
        yield _("images")
    if facts.reasoning:
        yield _("reasoning")
    if facts.tools is not None:
        yield _("tools") if facts.tools else _("no tools")


def prices_record(prices: Prices) -> dict[str, str | None]:
    """Return prices in dollars per million tokens, as the form of a known model takes them."""
    priced = {name: getattr(prices, name) for name in PRICES}
    return {
        f"{name}_price": None if price is None else _dollars(price)
        for name, price in priced.items()
    }


def _dollars(per_token: Decimal) -> str:
    return f"{(per_token * PER).normalize():f}"

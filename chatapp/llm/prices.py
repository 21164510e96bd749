"""Read a model's prices from its entry in litellm's list."""

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from history.core.money.cost import UNPRICED, Prices

BEYOND = re.compile(r"input_cost_per_token(_above_(\d+)k_tokens)")


def prices_in(entry: Mapping[str, Any]) -> Prices:
    """Read the prices that the entry gives for certain. The price of a model that charges for each
    request is unknown.
    """
    if "input_cost_per_request" in entry:
        return UNPRICED
    bounds = sorted(
        (int(match[2]) * 1_000, match[1]) for name in entry if (match := BEYOND.fullmatch(name))
    )
    minimum = entry.get("prompt_cache_min_tokens")
    return replace(
        _prices(entry),
        cache_minimum=minimum if isinstance(minimum, int) else None,
        beyond=tuple((bound, _prices(entry, suffix)) for bound, suffix in bounds),
    )


def _prices(entry: Mapping[str, Any], suffix: str = "") -> Prices:
    """Read prices. A zero price for cache writes, next to others above zero, means no extra cost.

    If reasoning has another price than text, the output has no single price: it is None.
    """
    output = _price(entry, f"output_cost_per_token{suffix}")
    thinking = entry.get("output_cost_per_reasoning_token")
    plain = _price(entry, f"input_cost_per_token{suffix}")
    cache_write = _price(entry, f"cache_creation_input_token_cost{suffix}")
    return Prices(
        input=plain,
        output=output if thinking is None or Decimal(str(thinking)) == output else None,
        cache_read=_price(entry, f"cache_read_input_token_cost{suffix}"),
        cache_write=cache_write if cache_write or not plain else None,
    )


def _price(entry: Mapping[str, Any], name: str) -> Decimal | None:
    value = entry.get(name)
    return Decimal(str(value)) if isinstance(value, int | float) else None

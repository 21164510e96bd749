"""Write an administrator's facts about a model under the names that litellm's list uses."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from agents.model_facts import PER
from agents.providers.models import KnownModel

NAMES = {
    "max_input_tokens": "context_window",
    "max_output_tokens": "max_output",
    "supports_vision": "images",
    "supports_reasoning": "reasoning",
    "supports_function_calling": "tools",
}
PRICES = {
    "input_cost_per_token": "input_price",
    "output_cost_per_token": "output_price",
    "cache_read_input_token_cost": "cache_read_price",
    "cache_creation_input_token_cost": "cache_write_price",
}


def with_own(entry: Mapping[str, Any], own: KnownModel) -> dict[str, Any]:
    """Return litellm's entry with the administrator's figures in it. If they gave a price, none of
    litellm's prices remain.
    """
    facts = {theirs: getattr(own, ours) for theirs, ours in NAMES.items()}
    prices = {theirs: _per_token(getattr(own, ours)) for theirs, ours in PRICES.items()}
    if any(price is not None for price in prices.values()):
        entry = {name: value for name, value in entry.items() if "cost" not in name}
    figures = {name: value for name, value in (facts | prices).items() if value is not None}
    return {**entry, **figures}


def _per_token(price: Decimal | None) -> float | None:
    return None if price is None else float(price / PER)

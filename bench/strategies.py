"""The history strategies that are compared, and the prices used."""

from dataclasses import dataclass
from decimal import Decimal

from history.core.money.cost import Prices
from history.core.settings.spec import Value

MILLION = Decimal(1_000_000)


def per_million(fresh: str, output: str, read: str, write: str | None) -> Prices:
    """Set prices in dollars per million tokens; `write` is None if writing costs no extra."""
    return Prices(
        input=Decimal(fresh) / MILLION,
        output=Decimal(output) / MILLION,
        cache_read=Decimal(read) / MILLION,
        cache_write=Decimal(write) / MILLION if write else None,
        cache_minimum=1024,
    )


PRICES = {
    "A: read 0.1, write 1.25": (per_million("3", "15", "0.3", "3.75"), True),
    "B: read 0.1, write free": (per_million("1.25", "10", "0.125", None), False),
    "C: read 0.5, write free": (per_million("2.5", "10", "1.25", None), False),
}


@dataclass(frozen=True, slots=True)
class Strategy:
    name: str
    values: dict[str, Value]
    processors: tuple[dict[str, object], ...] = ()


STRATEGIES = (
    Strategy("all", {"policy": "all"}),
    Strategy("none", {"policy": "none"}),
    Strategy("lastN 5", {"policy": "lastN", "length": 5}),
    Strategy("lastN 20", {"policy": "lastN", "length": 20}),
    Strategy("lastN 20, stride 10", {"policy": "lastN", "length": 20, "length_stride": 10}),
    Strategy("max_items 40", {"policy": "all", "max_items": 40}),
    Strategy("max_items 40, stride 20", {"policy": "all", "max_items": 40, "length_stride": 20}),
    Strategy("12,000 tokens, fifo", {"policy": "all", "token_budget": 12_000}),
    Strategy(
        "12,000 tokens, fifo, stride 4,000",
        {"policy": "all", "token_budget": 12_000, "token_stride": 4_000},
    ),
    Strategy(
        "12,000 tokens, sliding_window 10",
        {"policy": "all", "token_budget": 12_000, "pruner": "sliding_window"},
    ),
    Strategy("keep 5 results", {"policy": "all", "tool_results_keep": 5}),
    Strategy(
        "keep 5 results, stride 10",
        {"policy": "all", "tool_results_keep": 5, "results_stride": 10},
    ),
    Strategy(
        "no past tool calls",
        {"policy": "all"},
        ({"use": "tool_call_filter", "persist_results": True},),
    ),
    Strategy("summaries, 100 and 10", {"policy": "all", "summarize": True}),
    Strategy(
        "summaries, 40 and 10",
        {"policy": "all", "summarize": True, "trigger_at": 40, "summarize_every": 30},
    ),
)

"""The variants that are worth a replay, and the choice of the variant to propose.

A variant is proposed if it would have been cheaper by the fraction `WORTH`, and no request would
have shown the model less. If any price is unknown, even that of reading from the cache, no variant
is proposed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Any, TypeAlias

from history.core.money.cost import Prices, plain
from history.core.replay.recency import recency, shows_less, sights
from history.core.replay.replay import Replay
from history.core.settings.reduction import FREE, STABLE
from history.core.settings.resolved import Settings
from history.core.settings.spec import Value
from history.core.settings.steps import KEPT

Changes: TypeAlias = dict[str, Value]

WORTH = Decimal("0.1")
STEPS = (5, 10)
MOST = 7  # The most variants tried for one conversation.


def variants(settings: Settings) -> tuple[Changes, ...]:
    """Return the changes of these settings that are worth a try, the most promising first.

    Summaries are not among them, because nobody knows what one costs, or says, before a model
    writes it. The policy `all` is not among them either, because it costs more with every turn.
    """
    window = list(_windows(settings))
    placeholders = list(_placeholders(settings))
    both = [{**window[-1], **placeholders[-1]}] if window and placeholders else []
    every = [*window, *both, *placeholders, *_all_kept(settings), *_budgets(settings)]
    if every and settings.value("prefix") == FREE:
        every.append({"prefix": STABLE})
    return tuple(islice(every, MOST))


def _windows(settings: Settings) -> Iterator[Changes]:
    moves = (
        settings.value("policy") == "lastN"
        or settings.value("max_items") is not None
        or settings.value("pruner") == "sliding_window"
    )
    for step in STEPS if moves else ():
        if settings.value("length_stride") < step:
            yield {"length_stride": step}


def _placeholders(settings: Settings) -> Iterator[Changes]:
    step = STEPS[-1]
    moving = [keep for keep in KEPT if settings.value(keep)]
    if strides := {KEPT[k]: step for k in moving if settings.value(KEPT[k]) < step}:
        yield dict(strides)


def _all_kept(settings: Settings) -> Iterator[Changes]:
    if moving := [keep for keep in KEPT if settings.value(keep)]:
        yield dict.fromkeys(moving, 0)


def _budgets(settings: Settings) -> Iterator[Changes]:
    """Yield the token budget raised by its stride, so that no request contains less than before."""
    budget = settings.value("token_budget")
    if budget is not None and settings.value("token_stride") == 1:
        step = budget // 4
        yield {"token_budget": budget + step, "token_stride": step}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A replay under some changes of the settings, compared with one under the present settings."""

    changes: Changes
    replay: Replay
    beside: Replay

    @property
    def less(self) -> int:
        """The number of requests that would have shown the model less; this is all of them if
        either replay contains a refused request.
        """
        if self.replay.refusals or self.beside.refusals:
            return len(self.replay.steps)
        return shows_less(sights(self.replay), sights(self.beside))

    @property
    def saved(self) -> Decimal | None:
        """The saved share of the cost; None if it is unknown, or if nothing had to be paid."""
        was, now = self.beside.money, self.replay.money
        return (was - now) / was if was and now is not None else None

    @property
    def is_worth_it(self) -> bool:
        return self.saved is not None and self.saved >= WORTH and self.less == 0

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON data."""
        return {
            "changes": self.changes,
            **_figures(self.replay, self.beside),
            "less": self.less,
            "saved": None if self.saved is None else plain(round(self.saved, 4)),
            "is_worth_it": self.is_worth_it,
        }


def comparison(
    as_it_is: Replay, others: Iterable[tuple[Changes, Replay]], prices: Prices
) -> dict[str, Any]:
    """Return the figures as JSON data: of the present settings, and of each variant."""
    return {
        "requests": len(as_it_is.steps),
        "prices": prices_record(prices),
        "as_it_is": _figures(as_it_is, as_it_is),
        "variants": [Comparison(changes, replay, as_it_is).as_dict() for changes, replay in others],
    }


def are_known(prices: Prices) -> bool:
    """Return whether all prices that matter for comparing variants are known. If `cache_write` is
    None, writing costs nothing extra.
    """
    return None not in {prices.input, prices.output, prices.cache_read}


def prices_record(prices: Prices) -> dict[str, Any]:
    """Write prices as JSON data: in dollars per token, as text."""
    return {
        "input": plain(prices.input),
        "output": plain(prices.output),
        "cache_read": plain(prices.cache_read),
        "cache_write": plain(prices.cache_write),
        "cache_minimum": prices.cache_minimum,
        "beyond": [[bound, prices_record(more)] for bound, more in prices.beyond],
    }


def _figures(replay: Replay, beside: Replay) -> dict[str, Any]:
    is_whole = not (replay.refusals or beside.refusals)
    seen = recency(sights(replay), sights(beside)) if is_whole else None
    return {
        "money": plain(replay.money),
        "sent": replay.sent,
        "cache_read": replay.cache_read,
        "refusals": len(replay.refusals),
        "recency": seen.as_dict() if seen else None,
    }

"""Predict what a provider's prompt cache will save, for each request of a path in order.

This asks no provider. The cache is assumed to contain the prefix that a request shares with the
previous one, if that one was recent enough. This is the ideal case: a single provider whose cache
never expires early.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile

from history.core.money.cost import Prices, Usage, cost_of
from history.core.money.prefix import compared, sent_entries
from history.core.plan.injected import OF_THE_TURN, SYSTEM_PROMPT, TOOL_SCHEMAS
from history.core.plan.plan import Entry, Plan
from history.core.words.facts import Fact, Rule, fact

USUAL_MINIMUM = 1_024  # In tokens: the shortest cached prefix, if the catalogue does not give it.
HEAD = (SYSTEM_PROMPT, TOOL_SCHEMAS)  # The labels of the entries that come before all messages.
COLD = fact(Rule.CACHE_EXPIRED)
STRIDES = {  # The rules that cut, each with the setting that makes it cut in steps.
    "policy": "length_stride",
    "history window": "length_stride",
    "budget": "token_stride",
    "token_limiter": "token_stride",
}


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """A request with the tokens of its answer. `cold`: the cache had expired before the request.

    `tools`: the model was offered tools, so that another step of the turn may reuse the request.
    """

    plan: Plan
    output: int = 0
    cold: bool = False
    tools: bool = False


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the cache does for one request, in the model's own tokens, as far as they are known, and
    in dollars.

    `first_difference` says why the rest of the previous request could not be read from the cache.
    """

    cache_read: int
    cache_write: int
    fresh: int
    output: int
    money: Decimal | None
    first_difference: Fact | None = None


def predict(
    plans: Iterable[AnsweredRequest], prices: Prices, *, breakpoints: bool = False
) -> tuple[Prediction, ...]:
    """Return a prediction for each request, in order. This takes time linear in the plans' entries.

    `breakpoints`: the provider caches only up to the last cache breakpoint. This is at the end of
    the request if the model is offered tools; otherwise at the system prompt if the window slides,
    or else at the last message before the turn's own texts. Other providers cache everything. See
    `chatapp.llm.request`.
    """
    cache = _Cache(prices, breakpoints=breakpoints)
    return tuple(map(cache.ask, plans))


def slides(plan: Plan) -> bool:
    """Return whether the window's start moves with every turn, so no message can be reused.

    This is so if a rule cuts in steps of 1, and always under the policy `none`.
    """
    return any(_in_steps_of_one(entry.rule, plan) for entry in plan.not_sent())


def _in_steps_of_one(rule: str, plan: Plan) -> bool:
    settings = plan.settings
    if rule == "policy" and settings.value("policy") == "none":
        return True
    is_by_turns = rule == "budget" and settings.value("pruner") == "sliding_window"
    stride = "length_stride" if is_by_turns else STRIDES.get(rule)
    return stride is not None and settings.value(stride) == 1


class _Cache:
    """What a provider caches of the newest request: its first `reach` tokens, by our counter."""

    def __init__(self, prices: Prices, *, breakpoints: bool) -> None:
        self.prices = prices
        self.breakpoints = breakpoints
        self.minimum = USUAL_MINIMUM if prices.cache_minimum is None else prices.cache_minimum
        self.entries: Sequence[Entry] = ()
        self.reach = 0

    def ask(self, planned: AnsweredRequest) -> Prediction:
        plan, entries = planned.plan, sent_entries(planned.plan)
        prefix, reach = compared(self.entries, entries), self._reach(planned, entries)
        hit = 0 if planned.cold else min(prefix.tokens, self.reach, reach)
        why = COLD if planned.cold and self.entries else prefix.first_difference
        self.entries, self.reach = entries, reach
        return self._prediction(planned, self._worth(hit, plan), reach, why)

    def _reach(self, planned: AnsweredRequest, entries: Sequence[Entry]) -> int:
        if self.prices.cache_read is None:
            return 0
        cached = self._cached(planned, entries)
        return self._worth(sum(entry.sent_tokens for entry in cached), planned.plan)

    def _cached(self, planned: AnsweredRequest, entries: Sequence[Entry]) -> Sequence[Entry]:
        if not self.breakpoints or planned.tools:
            return entries
        if slides(planned.plan):
            return [entry for entry in entries if entry.label in HEAD]
        return list(takewhile(lambda entry: entry.rule != OF_THE_TURN, entries))

    def _worth(self, tokens: int, plan: Plan) -> int:
        """Return the tokens of the prefix, or 0 if it is too short for the cache."""
        return tokens if _scaled(tokens, plan) >= self.minimum else 0

    def _prediction(
        self, planned: AnsweredRequest, hit: int, reach: int, why: Fact | None
    ) -> Prediction:
        """Predict one request. If writing to the cache costs nothing extra, tokens that are written
        count as fresh.
        """
        prompt = planned.plan.window.sent
        read = _scaled(hit, planned.plan)
        is_charged = self.prices.at(prompt).cache_write is not None
        write = max(0, _scaled(reach, planned.plan) - read) if is_charged else 0
        usage = Usage(prompt, read, write, planned.output)
        fresh, money = prompt - read - write, cost_of(usage, self.prices).total
        return Prediction(read, write, fresh, planned.output, money, why)


def _scaled(tokens: int, plan: Plan) -> int:
    """Convert tokens of our count to the model's own, as `WindowSums` does."""
    return tokens + round(tokens * (plan.factor - 1))

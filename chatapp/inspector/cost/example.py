"""What the free demo model's requests would cost if a model with a price had answered them.

These amounts are only an example, and always marked as one: they are neither stored nor part of any
sum, limit or answer of the API.
"""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from agents.catalogue import catalogue
from chatapp.llm.catalogue import EXAMPLE_MODEL
from history.core.money.cache import Prediction
from history.core.money.cost import CostShare, Prices, Usage, cost_of, share_of, total
from history.core.replay.replay import Replay, ReplayedStep
from history.services.explain.cost.inputs import INPUT
from history.services.explain.cost.spending import Spending, SpendingTotal
from history.services.whatif.answered import TurnAnswer
from history.services.whatif.replaying import ReplayedAs
from history.services.whatif.trying import TriedVariant

NAME = EXAMPLE_MODEL.rpartition("/")[2]  # The example model's name, without its provider.


def example_prices(model: str) -> Prices | None:
    """Return the example prices to show for a model; None for a model that has its own."""
    twin = catalogue().priced_as(model)
    return catalogue().prices(twin) if twin else None


def is_all_free(spent: SpendingTotal) -> bool:
    """Return whether everything was free; otherwise no example is added to the real money."""
    return spent.money == 0 and not (spent.unknown or spent.unanswered)


def spending(spent: Spending, prices: Prices) -> Spending:
    """Price the reported tokens of a request, each kind by itself."""
    prompt = sum(spent.shares[kind].tokens or 0 for kind in INPUT)
    now = prices.at(prompt)
    each = {
        "fresh": now.input,
        "cache_read": now.cache_read,
        "cache_write": now.cache_write or now.input,
        "output": now.output,
    }
    shares = {kind: share_of(share.tokens, each[kind]) for kind, share in spent.shares.items()}
    return replace(spent, shares=shares, total=total(_known(shares)))


def spending_total(spent: SpendingTotal, prices: Prices) -> SpendingTotal:
    """Price the sum of some requests, none of which reported cached tokens."""
    if prices.input is None or prices.output is None:
        return spent
    money = (spent.prompt or 0) * prices.input + (spent.output or 0) * prices.output
    return replace(spent, money=money)


def is_one(variant: TriedVariant) -> bool:
    return bool(catalogue().priced_as(variant.agent.model))


def with_example_cost(variant: TriedVariant) -> TriedVariant:
    """Return the same variant, with an example cost if the demo model would answer it."""
    prices = example_prices(variant.agent.model)
    if prices is None or variant.prediction is None:
        return variant
    prediction = variant.prediction
    return replace(variant, prediction=replace(prediction, money=_predicted(prediction, prices)))


def example_cost(answer: TurnAnswer) -> Decimal | None:
    """Price the tokens of an answer's requests, none of which reported cached tokens; None if they
    are unknown, or the model has prices of its own.
    """
    prices = example_prices(answer.generation.snapshot_at().agent.model)
    if prices is None or answer.output is None:
        return None
    return cost_of(Usage(answer.sent, 0, 0, answer.output), prices).total


def is_free(variant: ReplayedAs) -> bool:
    return bool(catalogue().priced_as(variant.model))


def replayed(variant: ReplayedAs) -> ReplayedAs:
    prices = example_prices(variant.model)
    if prices is None or variant.replay is None:
        return variant
    steps = tuple(_step(step, prices) for step in variant.replay.steps)
    return replace(variant, replay=Replay(steps))


def _step(step: ReplayedStep, prices: Prices) -> ReplayedStep:
    if step.prediction is None:
        return step
    money = _predicted(step.prediction, prices)
    return replace(step, prediction=replace(step.prediction, money=money))


def _predicted(prediction: Prediction, prices: Prices) -> Decimal | None:
    """Predict the cost at example prices; the example model charges no extra for cache writes."""
    prompt = prediction.cache_read + prediction.cache_write + prediction.fresh
    usage = Usage(prompt, prediction.cache_read, 0, prediction.output)
    return cost_of(usage, prices).total


def _known(shares: Mapping[str, CostShare]) -> list[Decimal | None]:
    """List the cost of each reported kind. If no cache is reported, its tokens count as fresh."""
    return [share.money for share in shares.values() if share.tokens is not None] or [None]

"""Estimate what an experiment will cost before the model is asked, as far as that is possible."""

from dataclasses import dataclass
from decimal import Decimal

from agents.catalogue import catalogue
from history.core.money.cost import Prices, Usage, cost_of
from history.services.planning.projecting import project_turn
from history.services.whatif.experiments import Experiment


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost of one request: about `sent` tokens, and an answer of at most `answer` tokens, None
    if nothing limits it. `money` is the most that they can cost, None if a price or the limit is
    unknown.

    `has_tools`: the model may call tools, and each round of calls makes another request.
    """

    model: str
    sent: int
    answer: int | None
    money: Decimal | None
    is_priced: bool
    has_tools: bool

    @property
    def is_free(self) -> bool:
        return self.money == 0


def estimate(experiment: Experiment) -> Estimate:
    """Plan the first request as it would be sent. Raise `CannotPlan` if it does not fit."""
    turn = experiment.first_request
    _, projection, _ = project_turn(turn)
    model, tokens = experiment.model, projection.plan.window.sent
    models = catalogue()
    answer = turn.asked.max_tokens or models.limits(model).max_output
    prices = models.prices(model)
    return Estimate(
        model=model,
        sent=tokens,
        answer=answer,
        money=_most(tokens, answer, prices),
        is_priced=prices.at(tokens).input is not None,
        has_tools=bool(turn.tools),
    )


def _most(tokens: int, answer: int | None, prices: Prices) -> Decimal | None:
    """Price every token sent at the higher of the prices for reading it and for caching it."""
    if answer is None:
        return Decimal(0) if prices.input == prices.output == 0 else None
    now = prices.at(tokens)
    is_dearer = now.cache_write is not None and now.cache_write > (now.input or 0)
    cache_write = tokens if is_dearer else 0
    return cost_of(Usage(tokens, cache_write=cache_write, output=answer), prices).total

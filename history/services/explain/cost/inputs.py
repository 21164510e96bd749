"""The cost of a request's input by kind: texts, reasoning, images and files, cached or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from history.core.money.cost import CostShare, Prices, total
from history.core.money.split import Piece, Rates, pieces, summed, together
from history.core.plan.plan import Plan
from history.services.explain.cost.spending import Spending

INPUT = ("fresh", "cache_read", "cache_write")


@dataclass(frozen=True, slots=True)
class InputCosts:
    """The pieces of a request, with estimated tokens, and what the provider reported for all of
    them.

    `reported` and `cached` are None unless the provider reported them. `parts` are the pieces that
    are parts of messages, by the message's position and the part's place in the message; `rates` is
    what a token cost.
    """

    pieces: Sequence[Piece]
    rates: Rates
    factor: float
    reported: int | None
    cached: int | None
    money: Decimal | None
    parts: Mapping[tuple[int, int], Piece]

    @property
    def kinds(self) -> Mapping[str, Piece]:
        return together(self.pieces)

    @property
    def estimated(self) -> Piece:
        """The sum of all pieces."""
        return summed("", self.pieces)

    def saved(self, tokens: int) -> Decimal | None:
        """Return the uncached price of tokens that were left out, which are in our own count."""
        return self.rates.money(round(tokens * self.factor), 0)


def input_costs(plan: Plan, spent: Spending, prices: Prices) -> InputCosts:
    """Divide a request's input into its pieces; without a report, price all of it as not cached."""
    shares = [spent.shares[kind] for kind in INPUT]
    is_reported = spent.shares["fresh"].tokens is not None
    rates = _rates(plan, spent, prices)
    input_pieces = pieces(plan, rates)
    return InputCosts(
        pieces=input_pieces,
        rates=rates,
        factor=plan.factor,
        reported=sum(share.tokens or 0 for share in shares) if is_reported else None,
        cached=spent.shares["cache_read"].tokens if is_reported else None,
        money=_paid(*shares) if is_reported else None,
        parts={
            (piece.position, piece.place): piece
            for piece in input_pieces
            if piece.position is not None and piece.place is not None
        },
    )


def _rates(plan: Plan, spent: Spending, prices: Prices) -> Rates:
    """Return the prices per token at the time of the request, or today's if nothing was paid."""
    fresh, read, write = (spent.shares[kind] for kind in INPUT)
    now = prices.at(plan.window.sent)
    if fresh.tokens is None:
        return Rates(now.input, now.cache_read)
    rest = CostShare(fresh.tokens + (write.tokens or 0), _paid(fresh, write))
    cached = read.tokens or 0
    return Rates(
        fresh=_each(rest, now.input),
        cached=_each(read, now.cache_read),
        share=cached / max(1, cached + (rest.tokens or 0)),
    )


def _paid(*shares: CostShare) -> Decimal | None:
    return total(share.money for share in shares if share.tokens)


def _each(share: CostShare, otherwise: Decimal | None) -> Decimal | None:
    if not share.tokens:
        return otherwise
    return None if share.money is None else share.money / share.tokens

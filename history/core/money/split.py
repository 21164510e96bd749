"""Divide the cost of a request among what it contained: texts, reasoning, images and files.

A provider reports only sums. Which tokens came from its cache follows from their place, because a
cache holds the beginning of a request. So these divisions, and the cached tokens, are estimates;
they are shown with their difference from the reported figures.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from history.core.money.cost import priced, total
from history.core.money.prefix import sent_entries
from history.core.plan.plan import Plan

TEXTS = "texts"
KINDS = {"reasoning": "reasoning", "image": "images", "file": "files"}


@dataclass(frozen=True, slots=True)
class Rates:
    """The price of one token: fresh and cached, None if unknown. `share` is the fraction of tokens
    that were read from the cache.
    """

    fresh: Decimal | None = None
    cached: Decimal | None = None
    share: float = 0.0

    def money(self, tokens: int, cached: int) -> Decimal | None:
        """Return the price of tokens, of which `cached` came from the cache."""
        return total((priced(tokens - cached, self.fresh), priced(cached, self.cached)))


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the request's input, with its cost. `tokens` are in the model's own count.

    If it is a part of a message, it has the message's position and its own place among the parts.
    """

    kind: str
    tokens: int
    cached: int = 0
    money: Decimal | None = None
    position: int | None = None
    place: int | None = None


def pieces(plan: Plan, rates: Rates) -> tuple[Piece, ...]:
    """Divide the request into pieces, in the order in which providers read it.

    Their tokens add up to all that is sent according to the plan.
    """
    return tuple(_priced(list(_counted(plan)), plan, rates))


def together(every: Sequence[Piece]) -> dict[str, Piece]:
    """Add up pieces by kind, texts first; a kind without any piece is left out."""
    kinds = (TEXTS, *KINDS.values())
    return {
        kind: summed(kind, own) for kind in kinds if (own := [p for p in every if p.kind == kind])
    }


def summed(kind: str, own: Sequence[Piece]) -> Piece:
    money = total(piece.money for piece in own)
    return Piece(kind, sum(p.tokens for p in own), sum(p.cached for p in own), money)


def _counted(plan: Plan) -> Iterator[Piece]:
    """Yield the pieces in tokens of our count; a message's parts come before its text."""
    for entry in sent_entries(plan):
        whole = [part for part in entry.parts if not part.omitted]
        for part in whole:
            yield Piece(KINDS[part.kind], part.tokens, position=entry.first, place=part.place)
        yield Piece(TEXTS, entry.sent_tokens - sum(part.tokens for part in whole))


def _priced(counted: Sequence[Piece], plan: Plan, rates: Rates) -> Iterator[Piece]:
    """Scale the pieces to the model's tokens. Running sums are rounded, so that the total stays
    exact.
    """
    whole, through, start = plan.window.sent, 0, 0
    scale = whole / max(1, plan.window.counted)
    cached = round(whole * rates.share)
    for piece in counted:
        through += piece.tokens
        end = round(through * scale)
        read = max(0, min(end, cached) - start)
        money = rates.money(end - start, read)
        yield Piece(piece.kind, end - start, read, money, piece.position, piece.place)
        start = end

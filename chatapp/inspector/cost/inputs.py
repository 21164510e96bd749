"""What the shown request's input was spent on, and what each image, file and thought cost."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from history.core.money.cost import UNKNOWN, dollars
from history.core.wording import number, signed
from history.services.explain.cost.inputs import InputCosts
from history.wording.names import capitalised, part_of_window


@dataclass(frozen=True, slots=True)
class InputLine:
    """`name` is the kind, or `difference` or `total`."""

    name: str
    label: str
    tokens: str
    cached: str
    money: str


def input_lines(costs: InputCosts) -> Iterator[InputLine]:
    """Yield a line for each kind, the difference from what was reported, and the sum of all."""
    for kind, piece in costs.kinds.items():
        label = capitalised(part_of_window(kind))
        cached = UNKNOWN if costs.cached is None else number(piece.cached)
        yield InputLine(kind, label, number(piece.tokens), cached, dollars(piece.money))
    yield from _difference(costs)
    estimated = costs.estimated
    tokens = estimated.tokens if costs.reported is None else costs.reported
    money = estimated.money if costs.reported is None else costs.money
    label = _("Estimated total") if costs.reported is None else _("Total, as reported")
    cached = UNKNOWN if costs.cached is None else number(costs.cached)
    yield InputLine("total", label, number(tokens), cached, dollars(money))


def _difference(costs: InputCosts) -> Iterator[InputLine]:
    estimated = costs.estimated
    if costs.reported is None or costs.reported == estimated.tokens:
        return
    money: Decimal | None = None
    if costs.money is not None and estimated.money is not None:
        money = costs.money - estimated.money
    yield InputLine(
        "difference",
        _("Difference from our estimate"),
        signed(costs.reported - estimated.tokens, number),
        UNKNOWN if costs.cached is None else signed(costs.cached - estimated.cached, number),
        UNKNOWN if money is None else signed(money, dollars),
    )

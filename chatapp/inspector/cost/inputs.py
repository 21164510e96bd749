"""What the input of the shown request cost: by kind, and for each image, file and thought."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from django.utils.translation import gettext as _

from agents.catalogue import catalogue
from history.core.money.cost import UNKNOWN, dollars
from history.core.money.split import Piece
from history.core.plan.verdict import Verdict
from history.core.words.wording import number, signed
from history.models import ContextPlan
from history.services.explain.cost.inputs import InputCosts, input_costs
from history.services.explain.cost.spending import spent
from history.services.explain.map.parts import PartRow
from history.services.explain.map.rows import MessageRow, Row
from history.wording.names import capitalised, part_of_window


@dataclass(frozen=True, slots=True)
class InputLine:
    """A line of the input's costs. `name` is the kind of input, or `difference` or `total`."""

    name: str
    label: str
    tokens: str
    cached: str
    money: str


def input_lines(costs: InputCosts) -> Iterator[InputLine]:
    """Yield a line for each kind, one for the difference from what was reported, and the sum."""
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


def inputs_of(record: ContextPlan) -> InputCosts:
    prices = catalogue().prices(record.parameters["model"])
    return input_costs(record.core_plan, spent(getattr(record, "outcome", None)), prices)


def with_costs(rows: Iterable[Row], inputs: InputCosts) -> Iterator[Row]:
    """Add to the map's rows what each part cost, or how much leaving it out saved."""
    for row in rows:
        if isinstance(row, MessageRow) and row.parts:
            parts = (replace(part, cost=_cost(row, part, inputs)) for part in row.parts)
            yield replace(row, parts=tuple(parts))
        else:
            yield row


def _cost(row: MessageRow, part: PartRow, inputs: InputCosts) -> str:
    if piece := inputs.parts.get((row.position, part.place)):
        return _paid(part, piece)
    if part.verdict is Verdict.PLACEHOLDER:
        saved = dollars(inputs.saved(part.tokens - part.sent))
        return _("saves {money}").format(money=saved)
    return ""


def _paid(part: PartRow, piece: Piece) -> str:
    """Write a part's cost, whether it came from the cache, and its tokens if the row has others."""
    texts = [dollars(piece.money)]
    if piece.cached:
        whole = piece.cached == piece.tokens
        texts.append(_("from cache") if whole else _("partly from cache"))
    # If both counts are equal, the row shows them already.
    if piece.tokens != part.sent and not part.own:
        texts.append(_("{tokens} in the model's count").format(tokens=number(piece.tokens)))
    return ", ".join(texts)

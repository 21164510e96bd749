"""Say in the map's rows what each image, file and thought cost, or what leaving it out saved."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from django.utils.translation import gettext as _

from agents.catalogue import catalogue
from history.core.money.cost import dollars
from history.core.money.split import Piece
from history.core.plan.verdict import Verdict
from history.core.wording import number
from history.models import ContextPlan
from history.services.explain.cost.inputs import InputCosts, input_costs
from history.services.explain.cost.spending import spent
from history.services.explain.map.parts import PartRow
from history.services.explain.map.rows import MessageRow, Row


def inputs_of(record: ContextPlan) -> InputCosts:
    prices = catalogue().prices(record.parameters["model"])
    return input_costs(record.core_plan, spent(getattr(record, "outcome", None)), prices)


def with_costs(rows: Iterable[Row], inputs: InputCosts) -> Iterator[Row]:
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
    """Add whether the provider had it in its cache, and the model's own count where it differs."""
    said = [dollars(piece.money)]
    if piece.cached:
        whole = piece.cached == piece.tokens
        said.append(_("from cache") if whole else _("partly from cache"))
    if piece.tokens != part.sent and not part.own:  # Else it is what the row shows.
        said.append(_("{tokens} in the model's count").format(tokens=number(piece.tokens)))
    return ", ".join(said)

"""The replay as lines: tokens and money by turn, for a few variants side by side."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from django.utils.translation import gettext as _

from history.core.money.cost import dollars
from history.core.replay.replay import ReplayedStep
from history.core.words.wording import number
from history.services.whatif.replaying import ReplayedAs

WIDTH, HEIGHT = 600, 120
ROWS = 100  # The most rows of the table that shows the figures of the charts.
# By turn: the tokens of its last request (None if refused), and the cost of all its requests.
ByTurn: TypeAlias = dict[int, tuple[int | None, Decimal | None]]


@dataclass(frozen=True, slots=True)
class Chart:
    """`top` is the largest value, in words. Each of `lines` has the number of its variant, which
    selects colour and dashes, and its points, one for each turn.
    """

    title: str
    top: str
    first_turn: int
    last_turn: int
    lines: list[tuple[int, str]]


def charts(replays: Sequence[ReplayedAs], *, with_money: bool) -> list[Chart]:
    """Build the charts; none for money if all prices are unknown or everything is free. A turn has
    no point if its last request is refused, or its cost is unknown.
    """
    by_turn = [_by_turn(variant) for variant in replays if variant.replay]
    numbers = [place for place, variant in enumerate(replays) if variant.replay]
    turns = sorted({turn for values in by_turn for turn in values})
    if not turns:
        return []
    tokens = [{t: Decimal(n) for t, (n, _) in f.items() if n is not None} for f in by_turn]
    all_charts = [
        _chart(
            _("Tokens per turn (last request)"),
            tokens,
            numbers,
            turns,
            lambda most: number(int(most)),
        )
    ]
    money = [{t: m for t, (_, m) in f.items() if m is not None} for f in by_turn]
    if with_money and any(any(values.values()) for values in money):
        all_charts.append(_chart(_("Cost per turn"), money, numbers, turns, dollars))
    return all_charts


def table(replays: Sequence[ReplayedAs]) -> list[tuple[int, list[str]]]:
    """List the newest turns: tokens of the last request under each variant, or that it is
    refused.
    """
    by_turn = [_by_turn(variant) for variant in replays]
    turns = sorted({turn for values in by_turn for turn in values})[-ROWS:]
    return [(turn, [_cell(values, turn) for values in by_turn]) for turn in reversed(turns)]


def _cell(by_turn: ByTurn, turn: int) -> str:
    if turn not in by_turn:
        return ""
    tokens = by_turn[turn][0]
    return _("refused") if tokens is None else number(tokens)


def _by_turn(variant: ReplayedAs) -> ByTurn:
    sums: ByTurn = {}
    for step in variant.replay.steps if variant.replay else ():
        money = sums.get(step.step.turn, (0, Decimal(0)))[1]
        sums[step.step.turn] = (_sent(step), _added(money, step))
    return sums


def _sent(step: ReplayedStep) -> int | None:
    return step.plan.window.sent if step.plan else None


def _added(money: Decimal | None, step: ReplayedStep) -> Decimal | None:
    more = step.prediction.money if step.prediction else None
    return None if money is None or more is None else money + more


def _chart(
    title: str,
    values: Sequence[dict[int, Decimal]],
    numbers: Sequence[int],
    turns: Sequence[int],
    text_of: Callable[[Decimal], str],
) -> Chart:
    most = max((value for row in values for value in row.values()), default=Decimal(0))
    lines = [(place, _points(row, turns, most)) for place, row in zip(numbers, values, strict=True)]
    return Chart(title, text_of(most), turns[0], turns[-1], lines)


def _points(values: dict[int, Decimal], turns: Sequence[int], most: Decimal) -> str:
    across = WIDTH / max(1, turns[-1] - turns[0])
    up = HEIGHT / float(most or 1)
    return " ".join(
        f"{(turn - turns[0]) * across:.1f},{HEIGHT - float(values[turn]) * up:.1f}"
        for turn in turns
        if turn in values
    )

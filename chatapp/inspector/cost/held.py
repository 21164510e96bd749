"""What a request pays for reasoning, images and files, next to its texts."""

from collections.abc import Iterator

from history.core.money.cost import Prices, dollars
from history.core.plan.plan import Plan
from history.core.wording import number
from history.services.explain.cost.costs import fresh_money
from history.wording.names import capitalised, part_of_window

KINDS = ("reasoning", "images", "files")


def held_costs(plan: Plan, prices: Prices) -> Iterator[tuple[str, str, str]]:
    """Yield each kind's name, tokens and price uncached; nothing if there are only texts."""
    window = plan.window
    kinds = {name: getattr(window, name) for name in KINDS}
    if not any(kinds.values()):
        return
    texts = window.counted - sum(kinds.values())
    for name, counted in ({"texts": texts} | kinds).items():
        tokens = round(counted * plan.factor)
        if tokens:
            label = capitalised(part_of_window(name))
            yield label, number(tokens), dollars(fresh_money(tokens, plan, prices))

"""What it cost that a request could not be read from the cache as far as it repeats another one."""

from dataclasses import dataclass
from decimal import Decimal

from chatapp.inspector.cost.sentences import about, prefix_sentence
from history.core.money.cost import Prices, dollars
from history.core.plan.plan import Plan
from history.services.explain.cost.previous import SharedWithPrevious
from history.services.explain.cost.spending import dearer_money


@dataclass(frozen=True, slots=True)
class ReReading:
    """What was read again of a request, and the extra cost, which is None if it is unknown."""

    common: SharedWithPrevious
    dearer: Decimal | None

    @property
    def is_paid(self) -> bool:
        """Whether tokens were re-read that the cache could still have provided."""
        return bool(self.common.resent) and not self.common.cold

    @property
    def money(self) -> str:
        return about(self.dearer) if self.is_paid else dollars(Decimal(0))

    @property
    def sentence(self) -> str:
        return prefix_sentence(self.common)


def re_reading(common: SharedWithPrevious | None, plan: Plan, prices: Prices) -> ReReading | None:
    return ReReading(common, dearer_money(common.resent, plan, prices)) if common else None

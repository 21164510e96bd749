"""Sums over model calls, and how the overview writes them; a dash stands for an unknown figure."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any

from django.db.models import BigIntegerField, Count, Expression, Q, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from chatapp.overview.speed import UNTIMED, Speed
from history.core.money.cost import UNKNOWN, dollars
from history.core.words.wording import number

# A request that was never sent, because its answer was stopped or failed before.
UNSENT = Q(plan__isnull=False, counted=0, prompt__isnull=True, total_ms__isnull=True)
# A request with an answer but no report of usage, because it was stopped or broke off.
UNREPORTED = Q(prompt__isnull=True, plan__isnull=False, total_ms__isnull=False)
# A request for an answer, not a summary, that brought neither text nor a report of usage.
NOTHING = Q(plan__isnull=False, prompt__isnull=True, output__isnull=True, total_ms__isnull=True)


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums over some calls; `requests` counts those that were sent. `cached` tokens were read from
    a cache, out of `cacheable` ones in requests whose provider reports that; `left_out` tokens of
    the transcript were not sent, out of those `there`.

    The costs of three kinds of calls are unknown, so these calls are counted: `unpriced` ones lack
    a price; `unreported` ones ended before the provider reported their usage; `unanswered` ones
    brought back nothing, so that no figure is missing. `failures` counts answers, and so does
    `stopped`: a person stopped them. A sum has no `speed`, because speeds can't be added up.
    """

    requests: int = 0
    tokens: int = 0
    money: Decimal = Decimal(0)
    unpriced: int = 0
    cached: int = 0
    cacheable: int = 0
    there: int = 0
    left_out: int = 0
    failures: int = 0
    speed: Speed = UNTIMED
    unanswered: int = 0
    unreported: int = 0
    stopped: int = 0

    @classmethod
    def of(cls, row: Mapping[str, Any], failures: int = 0, stopped: int = 0) -> "Figures":
        """Read a row with annotations of `sums`, and perhaps of `percentiles`."""
        values = {field.name: row[field.name] for field in fields(cls) if row.get(field.name)}
        return cls(**values, failures=failures, stopped=stopped, speed=Speed.of(row))

    def __add__(self, other: "Figures") -> "Figures":
        names = [field.name for field in fields(self) if field.name != "speed"]
        return Figures(**{name: getattr(self, name) + getattr(other, name) for name in names})

    @property
    def cache_share(self) -> float | None:
        """The share of cacheable tokens that were read from a cache, in percent."""
        return _percent(self.cached, self.cacheable)

    @property
    def left_out_share(self) -> float | None:
        """The share of the transcripts' tokens that was left out, in percent."""
        return _percent(self.left_out, self.there)

    @property
    def is_priced(self) -> bool:
        """Whether any of the cost is known."""
        return self.unpriced + self.unreported + self.unanswered < self.requests

    @property
    def cost_text(self) -> str:
        """The cost in words; a minimum if some of it is unknown, and itself unknown if all the rest
        was free.
        """
        is_partly_unknown = bool(self.unpriced or self.unreported)
        if not self.is_priced or (is_partly_unknown and not self.money):
            return UNKNOWN
        if not self.money and self.requests:
            return _("free")
        least = "\N{GREATER-THAN OR EQUAL TO} " if is_partly_unknown else ""
        return least + dollars(self.money)

    @property
    def cache_text(self) -> str:
        return _share_text(self.cache_share)

    @property
    def left_out_text(self) -> str:
        return _share_text(self.left_out_share)


def sums() -> dict[str, Expression]:
    """Return annotations that add up `CallFigures`."""
    tokens = Coalesce("prompt", "counted") + Coalesce("output", 0)
    both = Q(prompt__isnull=False, cache_read__isnull=False)
    return {
        "requests": Count("pk", filter=~UNSENT),
        "tokens": Sum(tokens, output_field=BigIntegerField()),
        "money": Sum("cost"),
        "unpriced": Count("pk", filter=Q(cost=None) & ~NOTHING & ~UNREPORTED),
        "unreported": Count("pk", filter=Q(cost=None) & UNREPORTED),
        "unanswered": Count("pk", filter=Q(cost=None) & NOTHING),
        "cached": Sum("cache_read", filter=both),
        "cacheable": Sum("prompt", filter=both),
        "there": Sum("transcript"),
        "left_out": Sum("left_out"),
    }


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _share_text(percent: float | None) -> str:
    if percent is None:
        return UNKNOWN
    return _("under 1%") if 0 < percent < 1 else f"{number(round(percent))}%"

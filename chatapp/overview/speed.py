"""How long requests took, in milliseconds, and how the overview writes these times."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from django.db.models import Expression
from django.utils.translation import gettext as _

from chatapp.overview.sums.percentiles import Percentile, ranked
from history.core.money.cost import UNKNOWN

SHARES = MEDIAN, MOST = 0.5, 0.95
NAMES = ("first", "first_p95", "whole", "whole_p95")
ENOUGH = 5  # A model with fewer timed requests cannot be called the slowest.


@dataclass(frozen=True, slots=True)
class Speed:
    """The times of some requests: their median, and the time that 95 of 100 did not exceed. None
    means unknown.

    Speeds can't be added up, so each group needs its own.
    """

    first: float | None = None
    first_p95: float | None = None
    whole: float | None = None
    whole_p95: float | None = None

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Speed":
        """Read a row with the annotations of `percentiles`."""
        return cls(*(row.get(name) for name in NAMES))

    @classmethod
    def among(cls, firsts: Sequence[float], wholes: Sequence[float]) -> "Speed":
        """Compute the speed from all the times, sorted in rising order."""
        return cls(*(ranked(times, share) for times in (firsts, wholes) for share in SHARES))

    @property
    def first_text(self) -> str:
        return duration(self.first)

    @property
    def whole_text(self) -> str:
        return duration(self.whole)

    @property
    def first_note(self) -> str:
        return _note(self.first_p95)

    @property
    def whole_note(self) -> str:
        return _note(self.whole_p95)


UNTIMED = Speed()


@dataclass(frozen=True, slots=True)
class ModelSpeed:
    """The speed of one model. `firsts` and `wholes` count the requests with a known time."""

    model: str
    speed: Speed
    firsts: int = 0
    wholes: int = 0


def slowest(models: Iterable[ModelSpeed], what: Literal["first", "whole"]) -> ModelSpeed | None:
    """Return the model with the greatest p95; None unless several have enough timed requests."""
    timed = [
        (getattr(each.speed, f"{what}_p95"), each)
        for each in models
        if getattr(each, f"{what}s") >= ENOUGH
    ]
    return max(timed, key=lambda pair: pair[0])[1] if len(timed) > 1 else None


def percentiles() -> dict[str, Expression]:
    pairs = product(("first_ms", "total_ms"), SHARES)
    return {name: Percentile(*each) for name, each in zip(NAMES, pairs, strict=True)}


def duration(milliseconds: float | None) -> str:
    """Write a time briefly: `48 ms`, `0.34 s`, `2.1 s`, `73 s`."""
    if milliseconds is None:
        return UNKNOWN
    if milliseconds < 100:
        return _("{n} ms").format(n=round(milliseconds))
    seconds = milliseconds / 1_000
    digits = 2 if seconds < 1 else 1 if seconds < 10 else 0
    return _("{n} s").format(n=f"{seconds:.{digits}f}")


def _note(milliseconds: float | None) -> str:
    return "" if milliseconds is None else _("95% in {time}").format(time=duration(milliseconds))

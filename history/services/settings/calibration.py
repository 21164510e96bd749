"""A model's factor: the ratio of its token count to ours, learnt from providers' reports.

We count with o200k. A factor changes seldom and in steps, because each change may move a window's
start, and with it the prefix that a provider has cached.
"""

from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from history.core.plan.window import WindowSums
from history.models import TokenCalibration
from history.services.prepared import field, prepared
from history.tokens import start_of

LEAST, MOST = 0.5, 3.0  # The least and the greatest value of a factor.
# A provider's count is ignored if its ratio to ours is outside of these limits.
CREDIBLE = (0.2, 5.0)
ENOUGH = 3  # How many requests are needed to replace the initial value.
FADE = 1 - 1 / 20  # The factor by which each request multiplies the sums of all earlier ones.
NOTICEABLE = 0.02  # A smaller change, relative to the factor in use, is ignored.


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor. `source` tells people where it is from; `requests` is how many requests were learnt
    from.
    """

    value: float
    source: str
    requests: int


def factor_of(model: str) -> Factor:
    row = learnt_of.first(model=model)
    requests = row.requests if row else 0
    if row and row.factor is not None:
        return Factor(row.factor, f"calibrated on {requests} requests", requests)
    return replace(first_factor(model), requests=requests)


@prepared(model=field(TokenCalibration, "model"))
def learnt_of(model: Any) -> QuerySet[TokenCalibration]:
    return TokenCalibration.objects.filter(model=model)


def first_factor(model: str) -> Factor:
    """Return the factor for a model of which nothing has been learnt from requests yet."""
    start = start_of(model)
    return Factor(_within_bounds(start.value), start.source, 0)


def record_texts(model: str, window: WindowSums, factor: float, reported: int) -> None:
    """Learn from what the texts in a request cost. Images have prices of their own, by a published
    rule, so they are subtracted from both counts; a request that is mostly images teaches nothing.
    """
    texts = window.counted - window.images
    if window.images <= texts:
        record(model, texts, reported - round(window.images * factor))


def record(model: str, estimated: int, reported: int) -> None:
    """Learn from one request: from our count of tokens, without any factor, and the provider's.

    Providers' figures are not trusted; implausible ones are ignored.
    """
    low, high = CREDIBLE
    if not (estimated > 0 and low * estimated <= reported <= high * estimated):
        return
    with transaction.atomic():
        rows = TokenCalibration.objects.select_for_update()
        row, _ = rows.get_or_create(model=model)
        row.requests += 1
        row.estimated = row.estimated * FADE + estimated
        row.reported = row.reported * FADE + reported
        row.factor = _next_factor(row)
        row.save()


def _next_factor(row: TokenCalibration) -> float | None:
    if row.requests < ENOUGH:
        return None
    factor = _within_bounds(start_of(row.model).value) if row.factor is None else row.factor
    learnt = _within_bounds(row.reported / row.estimated)
    return learnt if abs(learnt - factor) > NOTICEABLE * factor else row.factor


def _within_bounds(factor: float) -> float:
    return round(min(max(factor, LEAST), MOST), 3)

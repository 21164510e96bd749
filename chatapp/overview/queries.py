"""The overview's database queries: their number does not grow with the data.

The database sums; the remaining rows, one for each conversation, are ranked here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import TruncDay, TruncWeek
from django.utils import timezone

from chatapp.overview.figures import Figures, sums
from chatapp.overview.forms import OverviewQuery, is_weekly
from history.models import CallFigures, ContextPlan, Conversation, Generation, GenerationStatus

PAGE = 50
FAILED = (GenerationStatus.FAILED, GenerationStatus.INTERRUPTED)


@dataclass(frozen=True, slots=True)
class ConversationSums:
    """A conversation's figures for the period. `last` and `plan` are of its newest request, if
    any.
    """

    pk: UUID
    figures: Figures
    last: datetime | None = None
    plan: int | None = None


@dataclass(frozen=True, slots=True)
class ListedConversation:
    """A conversation with its figures for the period, and its newest request's time and plan."""

    conversation: Conversation
    figures: Figures
    last: datetime | None
    plan: ContextPlan | None


@dataclass(frozen=True, slots=True)
class ConversationListing:
    rows: list[ListedConversation]
    is_last: bool


@dataclass(frozen=True, slots=True)
class PeriodFigures:
    """A day or a week."""

    start: date
    figures: Figures


VALUES: dict[str, Callable[[ConversationSums], Any]] = {
    "last": lambda row: row.last,
    "requests": lambda row: row.figures.requests,
    "tokens": lambda row: row.figures.tokens,
    "cost": lambda row: row.figures.money if row.figures.is_priced else None,
    "cache": lambda row: row.figures.cache_share,
    "left_out": lambda row: row.figures.left_out_share,
    "failures": lambda row: row.figures.failures,
}


def listing(wanted: OverviewQuery) -> ConversationListing:
    """Return one page of the conversations with figures in the period."""
    ranked = _ranked(_summed(wanted), wanted.sort)
    first, end = (wanted.page - 1) * PAGE, wanted.page * PAGE
    page = ranked[first:end]
    joined = ("agent", "network", "owner", "asked_by__conversation")
    rows = Conversation.objects.select_related(*joined)
    rows = rows.defer("asked_by__snapshot", "asked_by__error")
    conversations = rows.in_bulk([row.pk for row in page])
    plans = _plans([row.plan for row in page if row.plan])
    listed = [
        ListedConversation(conversations[row.pk], row.figures, row.last, plans.get(row.plan or 0))
        for row in page
        if row.pk in conversations  # It may have been deleted this moment.
    ]
    return ConversationListing(listed, is_last=len(ranked) <= end)


def trend(wanted: OverviewQuery) -> list[PeriodFigures]:
    """Return every day of the period, or every week, oldest first, including empty ones."""
    calls = _by_day(_calls(wanted), wanted).annotate(**sums())
    failures = _by_day(_failures(wanted), wanted).annotate(n=Count("pk"))
    found = {row["start"].date(): row for row in calls}
    failed = {row["start"].date(): row["n"] for row in failures}
    return [
        PeriodFigures(day, Figures.of(found.get(day, {}), failed.get(day, 0)))
        for day in _days(wanted)
    ]


def models_called() -> list[str]:
    return list(CallFigures.objects.order_by("model").values_list("model", flat=True).distinct())


def _summed(wanted: OverviewQuery) -> Iterator[ConversationSums]:
    """Yield conversations with a request, then those that failed before any."""
    calls = _calls(wanted).values("conversation").order_by("conversation")
    failures = _failures(wanted).values_list("conversation").order_by("conversation")
    failed = dict(failures.annotate(Count("pk")))
    for row in calls.annotate(newest=Max("plan"), last=Max("created"), **sums()):
        pk = row["conversation"]
        yield ConversationSums(pk, Figures.of(row, failed.pop(pk, 0)), row["last"], row["newest"])
    for pk, count in failed.items():
        yield ConversationSums(pk, Figures(failures=count))


def _ranked(rows: Iterator[ConversationSums], sort: str) -> list[ConversationSums]:
    """Sort rows; unknown values come last either way."""
    known: list[ConversationSums] = []
    unknown: list[ConversationSums] = []
    value = VALUES[sort.removeprefix("-")]
    for row in rows:
        (unknown if value(row) is None else known).append(row)
    return sorted(known, key=value, reverse=sort.startswith("-")) + unknown


def _calls(wanted: OverviewQuery) -> QuerySet[CallFigures]:
    rows = CallFigures.objects.filter(created__gte=wanted.since)
    if wanted.model:
        rows = rows.filter(model=wanted.model)
    if wanted.failures:
        rows = rows.filter(conversation__in=_failures(wanted).values("conversation"))
    return rows.filter(agent=wanted.agent) if wanted.agent else rows


def _failures(wanted: OverviewQuery) -> QuerySet[Generation]:
    """Return failed answers, including those for which no request could be made.

    An agent's are those that it began or took over.
    """
    rows = Generation.objects.filter(status__in=FAILED, created__gte=wanted.since)
    if wanted.model:
        rows = rows.filter(snapshot__agent__model=wanted.model)
    if wanted.agent:
        took_part = CallFigures.objects.filter(agent=wanted.agent, created__gte=wanted.since)
        began = Q(snapshot__agent__slug=wanted.agent)
        rows = rows.filter(began | Q(pk__in=took_part.values("plan__generation")))
    return rows


def _by_day(rows: QuerySet[Any], wanted: OverviewQuery) -> QuerySet[Any]:
    cut = TruncWeek if is_weekly(wanted.days) else TruncDay
    dated: QuerySet[Any] = rows.annotate(start=cut("created", tzinfo=wanted.zone))
    return dated.order_by("start").values("start")


def _days(wanted: OverviewQuery) -> Iterator[date]:
    step = timedelta(weeks=1) if is_weekly(wanted.days) else timedelta(days=1)
    day, today = wanted.since.date(), timezone.localdate(timezone=wanted.zone)
    while day <= today:
        yield day
        day += step


def _plans(ids: list[int]) -> dict[int, ContextPlan]:
    """Read only what a link to each needs."""
    rows = ContextPlan.objects.select_related("generation")
    return rows.only("step", "generation__turn").in_bulk(ids)

"""The calls and the failed answers that an address of the overview asks for."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.utils import timezone

from chatapp.overview.failing.reasons import kind_of_failure
from chatapp.overview.forms import OverviewQuery, is_weekly
from chatapp.overview.sums.expressions import calls_since
from history.models import CallFigures, Conversation, Generation, GenerationStatus
from history.services.search import titled

FAILED = (GenerationStatus.FAILED, GenerationStatus.INTERRUPTED)


def _text(path: str) -> Coalesce:
    """Return the text at a path in a JSON column; it is empty if there is none."""
    return Coalesce(KT(path), Value(""), output_field=TextField())


# Failures are identical if all of these are equal. `failed_later`: agents that had taken over.
SAME = {
    "failed_kind": kind_of_failure(),
    "failed_said": _text("error__message"),
    "failed_agent": _text("snapshot__agent__slug"),
    "failed_model": _text("snapshot__agent__model"),
    "failed_later": _text("snapshot__handed_over"),
}


def calls(wanted: OverviewQuery) -> QuerySet[CallFigures]:
    rows = calls_since(wanted.since)
    if wanted.model:
        rows = rows.filter(model=wanted.model)
    if wanted.person is not None:
        rows = rows.filter(_owned_by(wanted.person))
    if wanted.sought:
        rows = rows.filter(conversation__in=_found(wanted.sought))
    if wanted.failures:
        rows = rows.filter(plan__generation__in=failures(wanted).values("pk"))
    return rows.filter(agent=wanted.agent) if wanted.agent else rows


def failures(wanted: OverviewQuery) -> QuerySet[Generation]:
    """Return failed answers, including those for which no request could be made.

    An agent's failures are the failed answers that it began or took over.
    """
    rows = Generation.objects.filter(status__in=FAILED, created__gte=wanted.since)
    if wanted.model:
        rows = rows.filter(snapshot__agent__model=wanted.model)
    if wanted.person is not None:
        rows = rows.filter(_owned_by(wanted.person))
    if wanted.sought:
        rows = rows.filter(conversation__in=_found(wanted.sought))
    if wanted.agent:
        took_part = CallFigures.objects.filter(agent=wanted.agent, created__gte=wanted.since)
        began = Q(snapshot__agent__slug=wanted.agent)
        rows = rows.filter(began | Q(pk__in=took_part.values("plan__generation")))
    return _narrowed(rows, wanted)


def step(wanted: OverviewQuery) -> timedelta:
    """Return the length of one period of the chart: a day or a week."""
    return timedelta(weeks=1) if is_weekly(wanted.days) else timedelta(days=1)


def days(wanted: OverviewQuery) -> Iterator[date]:
    """Yield the first day of each period of the chart, until today's."""
    day, today = wanted.since.date(), timezone.localdate(timezone=wanted.zone)
    while day <= today:
        yield day
        day += step(wanted)


def starts(wanted: OverviewQuery) -> list[datetime]:
    """Return when each period of the chart begins, in the reader's time zone."""
    return [_begin(day, wanted) for day in days(wanted)]


def _begin(day: date, wanted: OverviewQuery) -> datetime:
    return datetime.combine(day, time(), wanted.zone)


def _narrowed(rows: QuerySet[Generation], wanted: OverviewQuery) -> QuerySet[Generation]:
    """Narrow a list of failures by the parameters that have no field on the page."""
    if wanted.conversation:
        rows = rows.filter(conversation=wanted.conversation)
    if wanted.kind:
        rows = rows.alias(kind_of_failure=kind_of_failure()).filter(kind_of_failure=wanted.kind)
    if wanted.like:
        one = Generation.objects.filter(pk=wanted.like, status__in=FAILED).annotate(**SAME)
        alike = one.values(*SAME).first()
        rows = rows.alias(**SAME).filter(**alike) if alike else rows.none()
    return _on_its_day(rows, wanted) if wanted.day else rows


def _on_its_day(rows: QuerySet[Generation], wanted: OverviewQuery) -> QuerySet[Generation]:
    """Keep the failures of the chosen day, or of the week that begins with it."""
    first = wanted.day or wanted.since.date()
    end = _begin(first + step(wanted), wanted)
    return rows.filter(created__gte=_begin(first, wanted), created__lt=end)


def _found(sought: str) -> QuerySet[Conversation, UUID]:
    """Return the chats whose title or owner's name contains the text, matched as in the sidebar.
    Messages aren't searched, because each look at another person's chat is recorded.
    """
    chats = Conversation.objects.filter(deleted_at=None).order_by()
    titles = titled(chats, sought).values_list("pk", flat=True)
    people = chats.filter(owner__username__icontains=sought).values_list("pk", flat=True)
    return titles.union(people)


def _owned_by(person: int) -> Q:
    return Q(conversation__owner=person) if person else Q(conversation__owner=None)

"""The calls, and the failed or stopped answers, that an address of the overview asks for."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Count, Q, QuerySet, TextField, Value
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce

from chatapp.overview.failing.reasons import kind_of_failure
from chatapp.overview.forms import OverviewQuery
from chatapp.overview.period import midnight
from chatapp.overview.sums.expressions import calls_since
from history.models import CallFigures, Conversation, Generation, GenerationStatus
from history.services.search import titled

Row = TypeVar("Row", CallFigures, Generation)
FAILED = (GenerationStatus.FAILED, GenerationStatus.INTERRUPTED)
STOPPED = (GenerationStatus.STOPPED,)


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


def calls(query: OverviewQuery) -> QuerySet[CallFigures]:
    rows = _within(calls_since(query.period.since), query)
    if query.model:
        rows = rows.filter(model=query.model)
    if query.person is not None:
        rows = rows.filter(_owned_by(query.person))
    if query.sought:
        rows = rows.filter(conversation__in=_found(query.sought))
    if query.failures or query.stopped:
        rows = rows.filter(plan__generation__in=ended(query).values("pk"))
    return rows.filter(agent=query.agent) if query.agent else rows


def failures(query: OverviewQuery) -> QuerySet[Generation]:
    """Return failed answers, including those for which no request could be made.

    An agent's failures are the failed answers that it began or took over.
    """
    return _narrowed(_ended(query, FAILED), query)


def ended(query: OverviewQuery) -> QuerySet[Generation]:
    """Return the answers that failed and those that a person stopped, or only those of the two that
    are asked for.
    """
    statuses = (*(FAILED if query.failures else ()), *(STOPPED if query.stopped else ()))
    return _ended(query, statuses or (*FAILED, *STOPPED))


def _ended(query: OverviewQuery, statuses: Collection[GenerationStatus]) -> QuerySet[Generation]:
    rows = _within(Generation.objects.filter(status__in=statuses), query)
    if query.model:
        rows = rows.filter(snapshot__agent__model=query.model)
    if query.person is not None:
        rows = rows.filter(_owned_by(query.person))
    if query.sought:
        rows = rows.filter(conversation__in=_found(query.sought))
    if query.agent:
        took_part = _within(CallFigures.objects.filter(agent=query.agent), query)
        began = Q(snapshot__agent__slug=query.agent)
        rows = rows.filter(began | Q(pk__in=took_part.values("plan__generation")))
    return rows


def ended_counts(answers: QuerySet[Generation], key: Combinable) -> dict[Any, tuple[int, int]]:
    """Count the failed and the stopped answers by a key, which is left out if it has none."""
    is_stopped = Q(status__in=STOPPED)
    counts = [Count("pk", filter=~is_stopped), Count("pk", filter=is_stopped)]
    rows = answers.values_list(key).order_by().annotate(failed=counts[0], stops=counts[1])
    return {each: (failed, stops) for each, failed, stops in rows if failed or stops}


def starts(query: OverviewQuery) -> list[datetime]:
    """Return when each part of the chart begins, in the reader's time zone."""
    return [midnight(day, query.period.zone) for day in query.period.parts]


def _within(rows: QuerySet[Row], query: OverviewQuery) -> QuerySet[Row]:
    """Keep the rows of the period."""
    rows = rows.filter(created__gte=query.period.since)
    return rows.filter(created__lt=query.period.until) if query.period.until else rows


def _narrowed(rows: QuerySet[Generation], query: OverviewQuery) -> QuerySet[Generation]:
    """Narrow a list of failures by the parameters that have no field on the page."""
    if query.conversation:
        rows = rows.filter(conversation=query.conversation)
    if query.kind:
        rows = rows.alias(kind_of_failure=kind_of_failure()).filter(kind_of_failure=query.kind)
    if query.like:
        one = Generation.objects.filter(pk=query.like, status__in=FAILED).annotate(**SAME)
        alike = one.values(*SAME).first()
        rows = rows.alias(**SAME).filter(**alike) if alike else rows.none()
    return _on_its_day(rows, query) if query.day else rows


def _on_its_day(rows: QuerySet[Generation], query: OverviewQuery) -> QuerySet[Generation]:
    """Keep the failures of the chosen day, or of the week that begins with it."""
    period = query.period
    first = query.day or period.first
    ends = [midnight(day, period.zone) for day in (first, first + period.step)]
    return rows.filter(created__gte=ends[0], created__lt=ends[1])


def _found(words: str) -> QuerySet[Conversation, UUID]:
    """Return the chats whose title or owner's name contains the text, matched as in the sidebar.
    Messages aren't searched, because each look at another person's chat is recorded.
    """
    chats = Conversation.objects.filter(deleted_at=None).order_by()
    titles = titled(chats, words).values_list("pk", flat=True)
    people = chats.filter(owner__username__icontains=words).values_list("pk", flat=True)
    return titles.union(people)


def _owned_by(person: int) -> Q:
    return Q(conversation__owner=person) if person else Q(conversation__owner=None)

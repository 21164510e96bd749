"""Failed answers, with identical failures counted in one row, and the count of each reason."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Value, Window
from django.db.models.functions import RowNumber

from chatapp.overview.chosen import SAME, failures
from chatapp.overview.failing.reasons import REASONS, kind_of_failure, reason_label, reason_sentence
from chatapp.overview.forms import OverviewQuery
from chatapp.overview.paging import RowPage, stored_page
from chatapp.transcript.endings import KEY_ERRORS
from history.models import ContextPlan, Conversation, Generation


@dataclass(frozen=True, slots=True)
class ListedFailed:
    """The newest of `count` identical failures. `agent` and `model` are those that failed.
    `lacks_key`: the model has no key, or the provider refused it. `was_planned`: the inspector has
    a request to show.
    """

    conversation: Conversation
    answer: Generation
    when: datetime
    agent: str
    model: str
    label: str
    sentence: str
    lacks_key: bool
    was_planned: bool
    count: int


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """How often a reason occurred. `condition` is its value in an address, empty if it has none."""

    condition: str
    label: str
    count: int


def failed_answers(query: OverviewQuery) -> RowPage[ListedFailed]:
    """Return a page of failures, newest first: identical ones in one row unless `like` is set."""
    rows = _each(query) if query.like else _newest_of_each_kind(query)
    page = stored_page(rows.order_by("-created", "-pk"), query.page)
    return page.of([_listed(answer) for answer in page.rows])


def reasons(query: OverviewQuery) -> list[ReasonCount]:
    """Count the failures by reason, the most frequent first, even if one reason is chosen."""
    rows = _there(replace(query, kind=""))
    counts = rows.values_list(kind_of_failure()).order_by().annotate(n=Count("pk"))
    return [
        ReasonCount(kind if kind in REASONS else "", reason_label(kind), count)
        for kind, count in sorted(counts, key=lambda row: (-row[1], row[0]))
    ]


def _there(query: OverviewQuery) -> QuerySet[Generation]:
    """Return the failures whose conversation has not been deleted."""
    return failures(query).filter(conversation__deleted_at=None)


def _each(query: OverviewQuery) -> QuerySet[Generation]:
    """Return the failures with the data that a row shows."""
    planned = Exists(ContextPlan.objects.filter(generation=OuterRef("pk")))
    rows = _there(query).annotate(**SAME, was_planned=planned, alike=Value(1))
    return rows.select_related("conversation__owner")


def _newest_of_each_kind(query: OverviewQuery) -> QuerySet[Generation]:
    same = [F(name) for name in SAME]
    newest = [F("created").desc(), F("pk").desc()]
    return (
        _each(query)
        .annotate(alike=Window(Count("pk"), partition_by=same))
        .annotate(place=Window(RowNumber(), partition_by=same, order_by=newest))
        .filter(place=1)
    )


def _listed(answer: Generation) -> ListedFailed:
    kind = answer.failed_kind  # type: ignore[attr-defined]  # The query annotates it, and what follows.
    agent = answer.snapshot_at().agent
    return ListedFailed(
        conversation=answer.conversation,
        answer=answer,
        when=answer.created,
        agent=agent.name,
        model=agent.model,
        label=reason_label(kind),
        sentence=reason_sentence(kind, (answer.error or {}).get("message", "")),
        lacks_key=kind in KEY_ERRORS,
        was_planned=answer.was_planned,  # type: ignore[attr-defined]
        count=answer.alike,  # type: ignore[attr-defined]
    )

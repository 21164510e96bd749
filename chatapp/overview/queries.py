"""The overview's database queries, whose number does not grow with the amount of data.

The database adds up figures; the rows that result, one for each conversation, are ranked here.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, Expression, F, Max, OuterRef, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KT

from chatapp.overview.chosen import calls, failures, stopped
from chatapp.overview.figures import Figures, sums
from chatapp.overview.forms import OverviewQuery
from chatapp.overview.paging import RowPage, page_of
from chatapp.overview.speed import percentiles
from chatapp.overview.sums.expressions import Unindexed
from history.models import CallFigures, ContextPlan, Conversation, Generation

NO_STOPS: Mapping[Any, int] = {}
CALLS_KEY: dict[str, Combinable] = {
    "": Unindexed("conversation"),
    "person": F("conversation__owner"),
    "agent": F("agent"),
    "model": F("model"),
}
FAILURES_KEY: dict[str, Combinable] = {
    "": F("conversation"),
    "person": F("conversation__owner"),
    "agent": KT("snapshot__agent__slug"),
    "model": KT("snapshot__agent__model"),
}


@dataclass(frozen=True, slots=True)
class KeySums:
    """The period's figures for one row: a conversation, a person, an agent or a model, identified
    by `key`. `last` and `plan` belong to its newest request, if there is any.
    """

    key: Any
    figures: Figures
    last: datetime | None = None
    plan: int | None = None


@dataclass(frozen=True, slots=True)
class ListedConversation:
    """A conversation with its figures in the period, and the time and the answer of its newest
    request, or its newest failed answer if only failures were asked for.
    """

    conversation: Conversation
    figures: Figures
    last: datetime | None
    answer: Generation | None


VALUES: dict[str, Callable[[KeySums], Any]] = {
    "last": lambda row: row.last,
    "requests": lambda row: row.figures.requests,
    "tokens": lambda row: row.figures.tokens,
    "cost": lambda row: row.figures.money if row.figures.is_priced else None,
    "first": lambda row: row.figures.speed.first,
    "first_p95": lambda row: row.figures.speed.first_p95,
    "whole": lambda row: row.figures.speed.whole,
    "whole_p95": lambda row: row.figures.speed.whole_p95,
    "cache": lambda row: row.figures.cache_share,
    "left_out": lambda row: row.figures.left_out_share,
    "failures": lambda row: row.figures.failures,
}
# The sums that each function in `VALUES` needs.
NEEDED: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in VALUES},
    "cost": ("requests", "money", "unpriced", "unreported", "unanswered"),
    "cache": ("cached", "cacheable"),
    "left_out": ("there", "left_out"),
    **dict.fromkeys(("last", "failures"), ()),
}


def listing(query: OverviewQuery, *, every: bool = False) -> RowPage[ListedConversation]:
    """Return one page of the conversations with figures in the period, or all if `every`."""
    page = paged(query, every)
    joined = ("agent", "network", "owner", "asked_by__conversation")
    rows = Conversation.objects.filter(deleted_at=None).select_related(*joined)
    rows = rows.defer("asked_by__snapshot", "asked_by__error")
    conversations = rows.in_bulk([row.key for row in page.rows])
    answers = _failed_answers(query, conversations) if query.failures else _answers(page.rows)
    listed = [
        ListedConversation(conversations[row.key], row.figures, row.last, answers.get(row.key))
        for row in page.rows
        if row.key in conversations  # The conversation may have been deleted.
    ]
    return page.of(listed)


def models_called() -> list[str]:
    return list(CallFigures.objects.order_by("model").values_list("model", flat=True).distinct())


def paged(query: OverviewQuery, every: bool) -> RowPage[KeySums]:  # noqa: FBT001
    """Return a page of ranked rows, or all of them.

    There may be very many conversations, so for all of them only the sums are made by which they
    are ranked.
    """
    if every or query.by:
        stops = _counts(stopped(query), query) if every and not query.failures else {}
        rows = ranked(summed(query, every_sum(), stops=stops), query.sort)
        return RowPage(rows) if every else page_of(rows, query.page)
    needed = {name: every_sum()[name] for name in NEEDED[query.sort.removeprefix("-")]}
    page = page_of(ranked(summed(query, needed), query.sort), query.page)
    whole = {row.key: row for row in summed(query, every_sum(), [row.key for row in page.rows])}
    return page.of([whole[row.key] for row in page.rows])


def every_sum() -> dict[str, Expression]:
    return {**sums(), **percentiles()}


def summed(
    query: OverviewQuery,
    adding: Mapping[str, Expression],
    only: Collection[Any] | None = None,
    stops: Mapping[Any, int] = NO_STOPS,
) -> Iterator[KeySums]:
    """Yield rows that have a request; then rows that have only failures before any request.

    `only` limits the rows to these keys. `stops` has the rows' numbers of stopped answers.
    """
    called, failing = calls(query), failures(query)
    if only is not None:
        called = called.filter(conversation__in=only)
        failing = failing.filter(conversation__in=only)
    by_key = called.values(key=CALLS_KEY[query.by]).order_by("key")
    rows = by_key.annotate(newest=Max("plan"), last=Max("created"), **adding)
    failed = _counts(failing, query)
    for row in rows:
        key = row["key"]
        figures = Figures.of(row, failed.pop(key, 0), stops.get(key, 0))
        yield KeySums(key, figures, row["last"], row["newest"])
    for key, count in failed.items():
        if count:
            yield KeySums(key, Figures(failures=count, stopped=stops.get(key, 0)))


def _counts(answers: QuerySet[Generation], query: OverviewQuery) -> dict[Any, int]:
    """Count answers by the key of the row to which they belong."""
    return dict(answers.values_list(_failures_key(query)).order_by().annotate(Count("pk")))


def _failures_key(query: OverviewQuery) -> Combinable:
    """Return the key to count a failed or stopped answer under: the chosen agent or model, else the
    answer's.
    """
    if key := {"agent": query.agent, "model": query.model}.get(query.by):
        return Value(key)
    return FAILURES_KEY[query.by]


def ranked(rows: Iterator[KeySums], sort: str) -> list[KeySums]:
    """Sort the rows; in either order, unknown values come last."""
    known_rows: list[KeySums] = []
    unknown_rows: list[KeySums] = []
    value = VALUES[sort.removeprefix("-")]
    for row in rows:
        (unknown_rows if value(row) is None else known_rows).append(row)
    return sorted(known_rows, key=value, reverse=sort.startswith("-")) + unknown_rows


def _answers(page: Iterable[KeySums]) -> dict[UUID, Generation]:
    """Return the newest answer of each conversation, with only the fields for a link to it."""
    ids = [row.plan for row in page if row.plan]
    rows = ContextPlan.objects.filter(pk__in=ids).select_related("generation")
    plans = rows.only("generation__turn", "generation__conversation")
    return {plan.generation.conversation_id: plan.generation for plan in plans}


def _failed_answers(query: OverviewQuery, conversations: Iterable[UUID]) -> dict[UUID, Generation]:
    """Return the newest failed answer of each conversation for which a request was made."""
    rows = failures(query).filter(conversation__in=list(conversations))
    rows = rows.filter(Exists(ContextPlan.objects.filter(generation=OuterRef("pk"))))
    answers = rows.order_by("created").only("turn", "conversation")
    return {answer.conversation_id: answer for answer in answers}

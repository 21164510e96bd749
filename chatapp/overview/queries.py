"""The overview's database queries, whose number does not grow with the amount of data.

The database adds up figures; the rows that result, one for each conversation, are ranked here.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, Expression, F, Max, OuterRef, Value
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KT

from chatapp.overview.chosen import calls, ended, ended_counts
from chatapp.overview.figures import Figures, sums
from chatapp.overview.forms import OverviewQuery
from chatapp.overview.paging import RowPage, page_of
from chatapp.overview.speed import percentiles
from chatapp.overview.sums.expressions import Unindexed
from history.models import CallFigures, ContextPlan, Conversation, Generation

CALLS_KEY: dict[str, Combinable] = {
    "": Unindexed("conversation"),
    "person": F("conversation__owner"),
    "agent": F("agent"),
    "model": F("model"),
}
ENDED_KEY: dict[str, Combinable] = {
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
    request, or its newest failed or stopped answer if only such answers were asked for.
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
    "stopped": lambda row: row.figures.stopped,
}
# The sums that each function in `VALUES` needs.
NEEDED: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in VALUES},
    "cost": ("requests", "tokens", "money", "unpriced", "unreported", "unanswered"),
    "cache": ("cached", "cacheable"),
    "left_out": ("there", "left_out"),
    **dict.fromkeys(("last", "failures", "stopped"), ()),
}


def listing(query: OverviewQuery, *, every: bool = False) -> RowPage[ListedConversation]:
    """Return one page of the conversations with figures in the period, or all if `every`."""
    page = paged(query, every)
    joined = ("agent", "network", "owner", "asked_by__conversation")
    rows = Conversation.objects.filter(deleted_at=None).select_related(*joined)
    rows = rows.defer("asked_by__snapshot", "asked_by__error")
    conversations = rows.in_bulk([row.key for row in page.rows])
    by_ending = query.failures or query.stopped
    answers = _ended_answers(query, conversations) if by_ending else _answers(page.rows)
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
        rows = ranked(summed(query, every_sum()), query.sort)
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
) -> Iterator[KeySums]:
    """Yield rows that have a request; then rows whose answers all failed, or were stopped, before
    any request.

    `only` limits the rows to these keys.
    """
    called, ending = calls(query), ended(query)
    if only is not None:
        called = called.filter(conversation__in=only)
        ending = ending.filter(conversation__in=only)
    by_key = called.values(key=CALLS_KEY[query.by]).order_by("key")
    rows = by_key.annotate(newest=Max("plan"), last=Max("created"), **adding)
    ends = ended_counts(ending, _ended_key(query))
    for row in rows:
        figures = Figures.of(row, *ends.pop(row["key"], (0, 0)))
        yield KeySums(row["key"], figures, row["last"], row["newest"])
    for key, (failed, stops) in ends.items():
        yield KeySums(key, Figures(failures=failed, stopped=stops))


def _ended_key(query: OverviewQuery) -> Combinable:
    """Return the key to count a failed or stopped answer under: the chosen agent or model, else the
    answer's.
    """
    if key := {"agent": query.agent, "model": query.model}.get(query.by):
        return Value(key)
    return ENDED_KEY[query.by]


def ranked(rows: Iterator[KeySums], sort: str) -> list[KeySums]:
    """Sort the rows; in either order, unknown values come last. Tokens decide between equal costs,
    such as those of free models, and between unknown ones.
    """
    known_rows: list[KeySums] = []
    unknown_rows: list[KeySums] = []
    value, is_down = VALUES[sort.removeprefix("-")], sort.startswith("-")
    if value is VALUES["cost"]:
        rows = iter(sorted(rows, key=VALUES["tokens"], reverse=is_down))
    for row in rows:
        (unknown_rows if value(row) is None else known_rows).append(row)
    return sorted(known_rows, key=value, reverse=is_down) + unknown_rows


def _answers(page: Iterable[KeySums]) -> dict[UUID, Generation]:
    """Return the newest answer of each conversation, with only the fields for a link to it."""
    ids = [row.plan for row in page if row.plan]
    rows = ContextPlan.objects.filter(pk__in=ids).select_related("generation")
    plans = rows.only("generation__turn", "generation__conversation")
    return {plan.generation.conversation_id: plan.generation for plan in plans}


def _ended_answers(query: OverviewQuery, conversations: Iterable[UUID]) -> dict[UUID, Generation]:
    """Return each conversation's newest answer that ended as asked, if a request was made."""
    rows = ended(query).filter(conversation__in=list(conversations))
    rows = rows.filter(Exists(ContextPlan.objects.filter(generation=OuterRef("pk"))))
    answers = rows.order_by("created").only("turn", "conversation")
    return {answer.conversation_id: answer for answer in answers}

"""The cost of a reply and of the conversation, and what trimming saved. An unknown figure is None,
never 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, TypeVar

from django.db.models import Count, Q, QuerySet, Sum
from django.utils.translation import gettext_lazy as _

from history.core.money.cost import NONSENSE, CostShare, Prices, Usage, priced
from history.core.plan.plan import Plan
from history.core.plan.verdict import Verdict
from history.models import CallFigures, ContextPlan, Conversation, Generation, RequestOutcome
from history.services.answers.delegating import delegated_within
from history.services.wire.delivery import never_left

KINDS = {
    "fresh": _("New"),
    "cache_read": _("Read from cache"),
    "cache_write": _("Written to cache"),
    "output": _("Output"),
}
CACHES = ("cache_read", "cache_write")
REPORTED = {"cache_read": "cache_read", "cache_write": "cache_write", "output": "completion"}
# Conditions on columns of `CallFigures`: see `history.services.wire.figures`.
NEVER_LEFT = Q(plan__isnull=False, counted=0, prompt=None, cost=0)
# A request for an answer without a report of usage; its cost does not count as unknown.
BROUGHT_NOTHING = Q(plan__isnull=False, prompt=None, output=None, total_ms=None)
N = TypeVar("N", int, Decimal)


@dataclass(frozen=True, slots=True)
class Spending:
    """The tokens and the cost of one or more requests, by kind and in total. None is unknown.

    `silent` is how many of these requests reported no cache while others did: their tokens count as
    fresh.
    """

    shares: Mapping[str, CostShare]
    total: Decimal | None
    note: str = ""
    silent: int = 0


@dataclass(frozen=True, slots=True)
class StepCost:
    step: int
    spent: Spending


@dataclass(frozen=True, slots=True)
class SpendingTotal:
    """The sum for many requests, as far as it is known, and how many requests have an unknown cost.

    `summaries` is how many requests were for summaries. `unanswered` is how many brought nothing
    back; their cost does not count as unknown.
    """

    requests: int
    unknown: int
    money: Decimal | None
    prompt: int | None
    output: int | None
    summaries: int = 0
    unanswered: int = 0

    def __add__(self, other: "SpendingTotal") -> "SpendingTotal":
        return SpendingTotal(
            requests=self.requests + other.requests,
            unknown=self.unknown + other.unknown,
            money=_known(self.money, other.money),
            prompt=_known(self.prompt, other.prompt),
            output=_known(self.output, other.output),
            summaries=self.summaries + other.summaries,
            unanswered=self.unanswered + other.unanswered,
        )


NOTHING = SpendingTotal(0, 0, None, None, None)


def steps_of(generation: Generation) -> list[ContextPlan]:
    """Return a generation's requests with their outcomes, without reading their plans."""
    rows = ContextPlan.objects.filter(generation=generation).select_related("outcome", "background")
    return list(rows.defer("plan").order_by("step"))


def reasoning_of(generation: Generation, output: CostShare) -> CostShare:
    """Return the share of an output's tokens that were reasoning, and what they cost."""
    rows = generation.messages.exclude(parts=[]).values_list("parts", flat=True)
    parts = (part for row in rows for part in row if part["kind"] == "reasoning")
    tokens = sum(part.get("tokens", 0) for part in parts)
    if not (output.tokens and output.money is not None):
        return CostShare(tokens, None)
    return CostShare(tokens, output.money * min(tokens, output.tokens) / output.tokens)


def step_costs(steps: Iterable[ContextPlan]) -> list[StepCost]:
    return [StepCost(record.step, spent(getattr(record, "outcome", None))) for record in steps]


def spent(outcome: RequestOutcome | None) -> Spending:
    """Read what a request used, at the prices of its time; one that was not sent cost nothing."""
    usage = outcome.usage if outcome else None
    if outcome and never_left(outcome):
        return Spending(dict.fromkeys(KINDS, CostShare(0, Decimal(0))), Decimal(0))
    cost = (outcome and outcome.cost) or {}
    if usage is None:
        return Spending(dict.fromkeys(KINDS, CostShare(None, None)), _money(cost, "total"))
    tokens = {kind: usage.get(name) for kind, name in REPORTED.items()}
    tokens["fresh"] = Usage.reported(usage).fresh
    return Spending(
        shares={kind: _share(tokens[kind], cost.get(kind)) for kind in KINDS},
        total=_money(cost, "total"),
        note=NONSENSE if tokens["fresh"] is None else "",
    )


def sum_of(parts: Sequence[Spending]) -> Spending:
    """Add up spendings. What is unknown in one is unknown in the sum, except for an unreported
    cache: its tokens are among the fresh ones, as the provider charged them.
    """
    reported = [kind for kind in CACHES if any(_has(part, kind) for part in parts)]
    spoken = [_with_caches(part, reported) for part in parts]
    return Spending(
        shares={
            kind: CostShare(
                _sum([part.shares[kind].tokens for part in spoken], 0),
                _sum([part.shares[kind].money for part in spoken], Decimal(0)),
            )
            for kind in KINDS
        },
        total=_sum([part.total for part in parts], Decimal(0)),
        note=next((part.note for part in parts if part.note), ""),
        silent=sum(whole is not part for whole, part in zip(spoken, parts, strict=True)),
    )


def conversation_total(conversation: Conversation) -> SpendingTotal:
    """Add up all requests of the conversation, on every branch: discarded answers were paid for,
    too.

    Requests for summaries count if they reported anything, or returned at least a text.
    """
    return total_of(CallFigures.objects.filter(conversation=conversation))


def delegated_total(conversation: Conversation) -> SpendingTotal:
    """Add up the requests of all conversations delegated from this one, directly or through others,
    including requests for summaries.
    """
    children = delegated_within(conversation)
    return total_of(CallFigures.objects.filter(conversation__in=children)) if children else NOTHING


def total_of(rows: QuerySet[CallFigures]) -> SpendingTotal:
    """Add up columns, because reading the JSON of each outcome would take too long. Requests that
    were not sent don't count.
    """
    sums = rows.aggregate(
        requests=Count("pk", filter=~NEVER_LEFT),
        summaries=Count("summary"),
        unknown=Count("pk", filter=Q(cost=None) & ~BROUGHT_NOTHING),
        unanswered=Count("pk", filter=Q(cost=None) & BROUGHT_NOTHING),
        money=Sum("cost"),
        prompt=Sum("prompt"),
        output=Sum("output"),
    )
    return SpendingTotal(**sums)


def trimming(plan: Plan, prices: Prices) -> CostShare:
    """Return what trimming saved: the tokens of the transcript that are left out, minus those that
    are sent in their place, and their price without cache.
    """
    cut = [entry for entry in plan.entries if entry.positions and entry.verdict != Verdict.KEPT]
    left_out = sum(max(0, entry.whole - entry.sent_tokens) for entry in cut)
    left_out += sum(plan.reasoning_unsent.values())
    notes = plan.window.summaries
    tokens = round(max(0, left_out - notes) * plan.factor)
    return CostShare(tokens, priced(tokens, prices.at(plan.window.sent).input))


def dearer_money(tokens: int, plan: Plan, prices: Prices) -> Decimal | None:
    """Return how much more these tokens cost uncached than from the cache, at today's prices."""
    now = prices.at(plan.window.sent)
    fresh, cached = priced(tokens, now.input), priced(tokens, now.cache_read)
    return None if fresh is None or cached is None else max(Decimal(0), fresh - cached)


def _share(tokens: int | None, cost: Mapping[str, Any] | None) -> CostShare:
    """Return the tokens with their cost; if the tokens are unknown, the cost is, too."""
    return CostShare(tokens, None if tokens is None else _money(cost, "money"))


def _money(cost: Mapping[str, Any] | None, name: str) -> Decimal | None:
    text = (cost or {}).get(name)
    return None if text is None else Decimal(text)


def _has(part: Spending, kind: str) -> bool:
    return part.shares[kind].tokens is not None


def _with_caches(part: Spending, kinds: Sequence[str]) -> Spending:
    """Return the spending with zero for those of these kinds that it doesn't report. Return the
    same object if it reports them all, or no usage at all.
    """
    missing = [kind for kind in kinds if not _has(part, kind)] if _has(part, "fresh") else []
    none = dict.fromkeys(missing, CostShare(0, Decimal(0)))
    return replace(part, shares={**part.shares, **none}) if none else part


def _known(one: N | None, other: N | None) -> N | None:
    """Add two numbers. An unknown one counts as zero; None if both are unknown."""
    if one is None or other is None:
        return other if one is None else one
    return one + other


def _sum(values: Sequence[N | None], start: N) -> N | None:
    numbers = [value for value in values if value is not None]
    return sum(numbers, start) if numbers and len(numbers) == len(values) else None

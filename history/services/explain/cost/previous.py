"""The request before a shown one on its path: what both have in common, and why they differ."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from history.core.money.prefix import Prefix, Spot, repeated, sent_entries, shared_prefix
from history.core.plan.injected import CONTEXT, OPENING, SYSTEM_PROMPT, TOOL_SCHEMAS
from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import Verdict
from history.models import Branch, ContextPlan, Generation, Message
from history.services.path.reading import on_path, user_message_of
from history.services.summaries.numbers import SummaryNumbers
from history.services.wire.delivery import has_left

RECENT = 50  # How many of the newest generations are searched.
CANDIDATES = 200  # How many requests of these generations are searched.
MOST = 200  # The most stretches whose tokens are read exactly; the rest is estimated.
# A part of a run: the run, and the part's first and last position.
Stretch: TypeAlias = tuple[Entry, int, int]

TRIM = _("the window moved")
OURS = {
    Verdict.TRIMMED: TRIM,
    Verdict.FILTERED: _("a processor"),
    Verdict.SUMMARISED: _("a summary"),
    Verdict.PLACEHOLDER: _("a placeholder"),
    Verdict.ALTERED: _("shortening"),
}
OTHERS = {Verdict.EXCLUDED: _("an exclusion"), Verdict.REPAIRED: _("a repair")}
TEMPLATE = _("a change to the agent")
TOOK_OVER = _("another agent took over")
REFRESHED = _("context that is refreshed every turn")
CHOICE = _("a change of settings, pins or exclusions")
INJECTED = _("an injected text")


@dataclass(frozen=True, slots=True)
class Cause:
    """What made two requests differ. `is_ours`: a stage of the projection did, not a person."""

    name: Promise
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class SharedWithPrevious:
    """What a request has in common with the previous one.

    Tokens are in the model's own count, as far as it is known: `shared` at the start, `resent`
    again after the first difference. `cold`: the provider's cache expired between the two requests.
    `other_model` is the model that answered the earlier request, if it was another, because no
    model reads another's cache.
    """

    turn: int
    step: int
    shared: int
    prefix: Prefix
    cause: Cause | None = None
    resent: int = 0
    cold: bool = False
    other_model: str = ""


def request_before(record: ContextPlan) -> ContextPlan | None:
    """Return the newest earlier request that was sent and whose whole transcript lies on the
    record's path. Experiments don't count, unless the path continues their branch.
    """
    own = record.branch
    branches = {own.pk, *(pk for pk, _position in own.lineage)}
    for pk, head, branch, lineage, kind in _candidates(record):
        if kind == Generation.Kind.WHAT_IF and branch not in branches:
            continue
        path = Branch(pk=branch, lineage=lineage).fork_lineage(head)
        if head <= record.head and path == own.fork_lineage(head):
            rows = ContextPlan.objects.select_related("generation", "branch", "outcome")
            if has_left(earlier := rows.get(pk=pk)):
                return earlier
    return None


def common_with(
    record: ContextPlan, plan: Plan, before: ContextPlan | None
) -> SharedWithPrevious | None:
    """Compare the request with the previous one; None for the first request of a path."""
    if before is None:
        return None
    if (other := _model(before)) != _model(record):
        first = next(iter(sent_entries(plan)), None)
        now = Spot(first.first, first.label) if first else None
        turn, step = before.generation.turn, before.step
        return SharedWithPrevious(turn, step, 0, Prefix(0, now=now), other_model=other)
    earlier = before.core_plan
    prefix = shared_prefix(earlier, plan)
    parts = prefix.first_difference is not None
    if prefix.first_difference:
        numbers = SummaryNumbers(record.generation.conversation_id)
        prefix = replace(prefix, first_difference=numbers.fact(prefix.first_difference))
    is_new_agent = _agent(before) != _agent(record)
    return SharedWithPrevious(
        turn=before.generation.turn,
        step=before.step,
        shared=_scaled(prefix.tokens, plan),
        prefix=prefix,
        cause=_cause(prefix, plan, is_new_agent=is_new_agent) if parts else None,
        resent=_scaled(resent_tokens(record, earlier, plan, prefix), plan) if parts else 0,
        cold=before.generation.turn < record.generation.turn and is_cold(record),
    )


def _model(record: ContextPlan) -> str:
    return str(record.parameters.get("model", ""))


def _agent(record: ContextPlan) -> str:
    """Return the slug of the agent that made the request, which a hand-over changes."""
    return record.generation.snapshot_at(record.step).agent.slug


def _candidates(record: ContextPlan) -> Iterator[tuple[int, int, int, list[list[int]], str]]:
    """Yield the id, head, branch, lineage and kind of each plan that may be that of the previous
    request, the newest first.

    An index finds recent generations first, because plans are large.
    """
    generation = record.generation
    recent = Generation.objects.filter(
        conversation=generation.conversation_id, created__lte=generation.created
    ).order_by("-created")[:RECENT]
    rows = ContextPlan.objects.filter(generation__in=recent.values("pk"), pk__lt=record.pk)
    names = ("pk", "head", "branch", "branch__lineage", "generation__kind")
    yield from rows.order_by("-pk").values_list(*names)[:CANDIDATES]


def is_cold(record: ContextPlan) -> bool:
    """Return whether the pause before the turn's question was longer than the cache's life."""
    question = user_message_of(record.branch, record.generation.turn)
    return question is not None and question.cold


def _cause(prefix: Prefix, plan: Plan, *, is_new_agent: bool) -> Cause:
    """Name what made two requests differ."""
    was, now = prefix.was, prefix.now
    if was is None or now is None:
        raise ValueError("one request continues the other")
    opens = now.label == OPENING
    if label := was.label if opens else now.label or was.label:
        return _of_label(label, is_new_agent=is_new_agent)
    if not opens and (was.position or 0) > (now.position or 0):
        return Cause(CHOICE)
    verdict = plan.verdict_of(was.position or 0)
    if verdict in OURS:
        return Cause(OURS[verdict], is_ours=True)
    return Cause(OTHERS.get(verdict, CHOICE))


def _of_label(label: str, *, is_new_agent: bool) -> Cause:
    """Name the cause by an injected text's label. A text that comes neither from the template nor
    from its context was made by a stage: it is a summary or a note.
    """
    if label == TOOL_SCHEMAS or label.startswith(SYSTEM_PROMPT):
        return Cause(TOOK_OVER if is_new_agent else TEMPLATE)
    if label.startswith(CONTEXT):
        return Cause(REFRESHED)
    return Cause(INJECTED, is_ours=True)


def _scaled(tokens: int, plan: Plan) -> int:
    return round(tokens * plan.factor)


def resent_tokens(record: ContextPlan, before: Plan, after: Plan, prefix: Prefix) -> int:
    """Count, by our counter, what both requests contain but no cache can provide."""
    tail = _behind(sent_entries(after), prefix.now)
    texts = {(e.label, e.digest) for e in before.entries if e.verdict is Verdict.INJECTED}
    injected = [e for e in tail if not e.positions and (e.label, e.digest) in texts]
    messages = [entry for entry in tail if entry.positions]
    start = (prefix.now.position or 0) if prefix.now else 0
    stretches = list(_both(before, messages, start))
    return sum(entry.sent_tokens for entry in injected) + _tokens(record, stretches)


def _behind(entries: Sequence[Entry], spot: Spot | None) -> Sequence[Entry]:
    """Return the runs from the first difference on."""
    if spot is None:
        return ()
    places = (n for n, entry in enumerate(entries) if _is_at(entry, spot))
    return entries[next(places, len(entries)) :]


def _is_at(entry: Entry, spot: Spot) -> bool:
    return entry.label == spot.label if spot.position is None else spot.position in entry.positions


def _both(before: Plan, messages: Sequence[Entry], start: int) -> Iterator[Stretch]:
    """Yield the stretches from `start` on that the later request repeats, by position."""
    olds = [entry for entry in sent_entries(before) if entry.positions]
    place = 0
    for new in messages:
        while place < len(olds) and olds[place].positions[-1] < new.positions[0]:
            place += 1
        for n in range(place, len(olds)):
            first = max(olds[n].positions[0], new.positions[0], start)
            if olds[n].positions[0] > new.positions[-1]:
                break
            last = min(olds[n].positions[-1], new.positions[-1])
            if first <= last and (again := repeated(olds[n], new)):
                yield again, first, last


def _tokens(record: ContextPlan, stretches: Sequence[Stretch]) -> int:
    parts = [(entry, a, b) for entry, a, b in stretches if b - a + 1 < entry.count]
    sums = _running_sums(record, [place for _, a, b in parts[:MOST] for place in (a, b)])
    return sum(_of_part(stretch, sums) for stretch in stretches)


def _of_part(stretch: Stretch, sums: Mapping[int, tuple[int, int]]) -> int:
    """Count a stretch's tokens: exactly for a whole run or for kept messages, else by average."""
    entry, first, last = stretch
    if last - first + 1 == entry.count:
        return entry.sent_tokens
    if entry.verdict is Verdict.KEPT and first in sums and last in sums:
        own, through = sums[first]
        return sums[last][1] - through + own
    return entry.sent_tokens * (last - first + 1) // entry.count


def _running_sums(record: ContextPlan, positions: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Map each position to its message's tokens, and to the running sum that includes them."""
    if not positions:
        return {}
    messages = Message.objects.filter(on_path(record.branch, record.head), position__in=positions)
    rows = messages.values_list("position", "tokens", "tokens_through")
    return {position: (own, through) for position, own, through in rows}

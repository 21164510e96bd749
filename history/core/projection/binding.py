"""Leave out reasoning that is bound to a prefix which has changed, and find the first change.

What is left out in any case is not counted from the start. The rest of this comes last, because
every stage may change what precedes a message. Leaving reasoning out makes the request smaller, and
changes no other message.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from history.core.draft.draft import Draft
from history.core.money.prefix import Spot, compared, sent_entries
from history.core.plan.bonds import fitting
from history.core.plan.injected import Injected
from history.core.plan.neutral_request import in_order
from history.core.plan.plan import Entry, Plan
from history.core.projection.request import PlanBehind, ProjectionRequest
from history.core.settings.reduction import STABLE
from history.core.transcript.messages import Message, Role, Transcript, Unread
from history.core.transcript.parts import SEALED, Reasoning, reasoning_in
from history.core.transcript.reasoning import (
    ReasoningRule,
    loop_start,
    rule_of,
    with_reasoning,
    without_last_reasoning,
    without_late_reasoning,
    without_reasoning,
)
from history.core.transcript.reasoning_accepted import ReasoningAccepted
from history.core.transcript.segments import Segment, Segments
from history.core.words.facts import Fact, Rule, fact

MOST_EXPLAINED = 10


def judged(draft: Draft, request: ProjectionRequest) -> tuple[ReasoningRule, Segments]:
    """Return the rule for reasoning, and all segments with the reasoning that it sends.

    With a stable prefix, earlier turns count as they did before the model stopped thinking in this
    turn, so that no cut moves; their reasoning is left out last.
    """
    keep, last_turn = int(request.settings.value("reasoning_keep")), draft.last_turn
    loop = () if request.ends_with_user else draft.current or draft.live
    rule = rule_of(request.taking, keep, last_turn, loop)
    counted = with_reasoning(draft.live, rule)
    if not rule.taking.foreign_loop or request.settings.value("prefix") != STABLE:
        return rule, counted
    earlier_rule = rule_of(request.taking, keep, last_turn, ())
    current = tuple(part for part in counted if part.position >= draft.first_current)
    earlier = draft.live[: len(counted) - len(current)]
    return earlier_rule, (*with_reasoning(earlier, earlier_rule), *current)


def unbind(
    draft: Draft, rule: ReasoningRule, injected: Sequence[Injected], tools: str | None
) -> ReasoningRule:
    """Leave out reasoning that the model would refuse; the returned rule names its messages.

    A model that `minds_loop` does not think in a tool loop that no longer begins with reasoning.
    `tools` is the digest of the request's tools; without it, all bound reasoning counts as fit.
    """
    unbound, taking = frozenset[int](), rule.taking
    if taking.needs_sequel:
        draft.put(without_last_reasoning(draft.in_order))
    while (
        tools is not None and taking.bound_to and (unfit := _unfit(draft, taking, injected, tools))
    ):
        _change(draft, unfit, rule)
        unbound |= unfit
    if taking.minds_loop and not taking.foreign_loop and not _begins_by_thinking(draft, injected):
        if taking.only_thinking:
            _change(draft, _thinking(draft), rule)
        taking = replace(taking, foreign_loop=True)
    changes = dict.fromkeys(sorted(unbound), fact(Rule.PREFIX_CHANGED))
    return replace(rule, taking=taking, unbound=changes)


def explained(plan: Plan, transcript: Transcript, behind: PlanBehind) -> Plan:
    """Say for each message that lost its reasoning what changed first among everything before it.

    `behind` returns the plan of the request that a message answered. It is asked only once for each
    of the newest turns, since each plan is read from the database.
    """
    if not (unbound := plan.reasoning.unbound):
        return plan
    own = [item for item in transcript if item.position in unbound and isinstance(item, Message)]
    turns = [[m.position for m in run] for _turn, run in groupby(own, attrgetter("turn"))]
    changes = dict(unbound)
    for places in turns[-MOST_EXPLAINED:]:
        changes |= dict.fromkeys(places, _first_change(behind(places[0]), plan))
    return replace(plan, reasoning=replace(plan.reasoning, unbound=changes))


def _thinking(draft: Draft) -> frozenset[int]:
    """Return the positions of the messages that are sent with reasoning."""
    return frozenset(m.position for m in draft.messages() if reasoning_in(m.parts))


def _unfit(
    draft: Draft, taking: ReasoningAccepted, injected: Sequence[Injected], tools: str
) -> frozenset[int]:
    thinking = _thinking(draft)
    if not thinking:
        return thinking
    messages, items = draft.messages(), {item.position: item for item in draft.transcript}
    shortened = {m.position for m in messages if not m.label and _is_short(m, items[m.position])}
    return thinking - fitting(in_order(messages, injected), tools, taking, shortened)


def _is_short(message: Message, original: Message | Unread) -> bool:
    return isinstance(original, Message) and message.text != original.text


def _change(draft: Draft, places: frozenset[int], rule: ReasoningRule) -> None:
    """Remove the reasoning of the messages at these positions."""

    def changed(part: Segment) -> Segment:
        head, *results = part.messages
        return replace(part, messages=(without_reasoning(head), *results))

    parts = draft.in_order
    bare = tuple(p if p.position not in places or p.is_note else changed(p) for p in parts)
    draft.put(without_late_reasoning(bare) if rule.taking.minds_loop else bare)


def _begins_by_thinking(draft: Draft, injected: Sequence[Injected]) -> bool:
    """Whether the newest tool loop begins with the model's reasoning, and the part of it that
    belongs to the current turn, too; true if the model has not begun either.
    """
    items = in_order(draft.messages(), injected)
    start = loop_start(item.role for item in items)
    loop = [item for item in items[start:] if item.role is Role.ASSISTANT]
    own = [item for item in loop if isinstance(item, Message) and item.turn == draft.last_turn]
    return all(map(_is_sealed, [*loop[:1], *own[:1]]))


def _is_sealed(item: Message | Injected) -> bool:
    thoughts = reasoning_in(item.parts) if isinstance(item, Message) else ()
    return any(thought.form in SEALED for thought in thoughts)


def _first_change(before: Plan | None, after: Plan) -> Fact:
    if before is None:
        return fact(Rule.PREFIX_CHANGED)
    was, now = sent_entries(before), sent_entries(after)
    prefix = compared(_unthinking(was), _unthinking(now))
    if prefix.first_difference is None:  # Only reasoning is missing.
        prefix = compared(was, now)
    change = prefix.first_difference or fact(Rule.PREFIX_CHANGED)
    return change.having(**_setting(prefix.was or Spot(None), after.entries))


def _unthinking(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries as if no reasoning were sent."""

    def unthinking(entry: Entry) -> Entry:
        rest = tuple(part for part in entry.parts if part.kind != Reasoning.kind)
        return replace(entry, parts=rest)

    return [unthinking(entry) if entry.parts else entry for entry in entries]


def _setting(spot: Spot, entries: Sequence[Entry]) -> Mapping[str, str]:
    """Name the setting that now decides about the difference, if one does."""
    here = (e for e in entries if spot.position is not None and spot.position in e.positions)
    decided = next(here, None)
    return {"setting": decided.setting} if decided and decided.setting else {}

"""What a request left out of the conversation, in a few sentences, and who decided that."""

from collections.abc import Collection, Iterator, Sequence

from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import CHANGED, PIN, PRESERVE, SENT, Verdict
from history.core.stages.policies import LastN, policy_of
from history.core.words.wording import number
from history.services.explain.filtered_calls import NO_CALLS, Calls
from history.services.explain.headline import counts_of, omitted_parts
from history.services.explain.left_out import LeftOutPart, parts_of
from history.services.explain.summary_sources import decided_by_setting
from history.services.explain.window import Sides, is_cut, sides_of
from history.wording.omissions import cut as wording
from history.wording.omissions.left_out import are_left_out, earlier_part
from history.wording.reasons import brief
from history.wording.remembering import drawn_by, value_set_by

MOST = 2  # The most settings to mention besides the policy; the map has all of them.
BY_SETTING = CHANGED | {Verdict.TRIMMED, Verdict.SUMMARISED}


def cut_sentence(plan: Plan, calls: Calls = NO_CALLS) -> str:
    """Say what was left out, and in a second sentence what pins, other rules and processors
    changed; the text is empty if every message was sent unchanged. `calls` are those that filters
    removed.
    """
    sides = sides_of(plan)
    earlier = [e for e in sides.above if is_cut(e) and e.verdict is not Verdict.SUMMARISED]
    others = [entry for entry in sides.above if entry not in earlier]
    parts = parts_of([*others, *sides.below], calls)
    clauses = [*_held(sides), *_changed(plan)]
    if not earlier and len(parts) == 1 and parts[0].verdict is not Verdict.SUMMARISED:
        return wording.line([], [_whole(parts[0]), *clauses])
    return wording.line(list(_left_out(plan, sides, earlier, parts)), clauses)


def _left_out(
    plan: Plan, sides: Sides, earlier: Sequence[Entry], parts: Sequence[LeftOutPart]
) -> Iterator[str]:
    """Say how many messages were left out and why; if for several reasons, then how many for
    which.
    """
    if not earlier and not parts:
        return
    reasons = _reasons(plan, sides, earlier)
    if not parts:
        yield wording.left_out(_count(earlier), reasons)
    elif not earlier and len(parts) == 1:
        yield wording.summarised(parts[0].count)
    else:
        words = [earlier_part(number(_count(earlier)), reasons)] if earlier else []
        count = _count(earlier) + sum(part.count for part in parts)
        yield are_left_out(count, [*words, *(part.worded() for part in parts)])


def _reasons(plan: Plan, sides: Sides, earlier: Sequence[Entry]) -> list[str]:
    if all(entry.rule == "policy" for entry in earlier):
        return [wording.sent_by(plan.settings, _turns(plan, sides))] if earlier else []
    return list(dict.fromkeys(brief(entry) for entry in earlier))


def _turns(plan: Plan, sides: Sides) -> str:
    policy = policy_of(plan.settings)
    if not isinstance(policy, LastN):
        return wording.turns(0)
    count = plan.counts.last_turn - (sides.below[0].first_turn or 0) + 1
    least = max(policy.length, 1)
    return wording.turns(count, least, least + policy.stride - 1)


def _held(sides: Sides) -> Iterator[str]:
    """Say how many pins and preserved system messages from before the window's start are sent."""
    for rule in (PIN, PRESERVE):
        if count := _count([e for e in sides.above if e.verdict in SENT and e.rule == rule]):
            yield wording.sent_anyway(rule, count)


def _changed(plan: Plan) -> Iterator[str]:
    """Say how many messages are sent changed, and which of their parts are left out."""
    counts = counts_of(plan.entries)
    for verdict in (each for each in wording.OTHERS if each in CHANGED):
        if counts[verdict]:
            yield wording.other(verdict, counts[verdict])
    for kind, count in omitted_parts(plan).items():
        yield wording.parts_left_out(kind, count)


def _whole(part: LeftOutPart) -> str:
    """Say how many messages were left out, if all of them were for one reason."""
    if part.filtered is None:
        return wording.other(part.verdict, part.count)
    transfers = part.filtered.are_transfers
    return wording.filtered(part.count, part.calls, are_transfers=transfers)


def _count(entries: Sequence[Entry]) -> int:
    return sum(entry.count for entry in entries)


def who_decided(plan: Plan, agent: str, by_hand: Collection[int] = ()) -> str:
    """Say who set the policy, then who set the other settings that left out or changed messages.

    Empty if no setting did. The policy's sentence covers its own settings; processors are not
    settings, so they are not named, and neither is a setting for the summaries made `by_hand`.
    """
    by_policy = any(e.verdict is Verdict.TRIMMED and e.rule == "policy" for e in plan.entries)
    entries = [e for e in plan.entries if e.verdict in BY_SETTING and e.rule != "policy"]
    settings = [decided_by_setting(entry, plan.settings, by_hand) for entry in entries]
    names = [name for name in dict.fromkeys(settings) if name in plan.settings]
    others = [value_set_by(plan.settings, name, agent) for name in names[:MOST]]
    return " ".join([*([drawn_by(plan.settings, agent)] if by_policy else []), *others])

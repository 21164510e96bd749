"""What a request left out of the conversation, in a few sentences, and who decided that."""

from collections.abc import Collection, Iterator, Sequence

from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import CHANGED, PIN, PRESERVE, SENT, Verdict
from history.core.stages.policies import LastN, policy_of
from history.services.explain.filtered_calls import NO_CALLS, Calls, filtered_by_tools
from history.services.explain.headline import counts_of, omitted_parts
from history.services.explain.summary_sources import decided_by_setting
from history.services.explain.window import Sides, is_cut, sides_of
from history.wording import cut as wording
from history.wording.headline import calls_in_words
from history.wording.reasons import brief
from history.wording.remembering import drawn_by, value_set_by

MOST = 2  # The most settings to mention besides the policy; the map has all of them.
BY_SETTING = CHANGED | {Verdict.TRIMMED, Verdict.SUMMARISED}


def cut_sentence(plan: Plan, calls: Calls = NO_CALLS) -> str:
    """Say what was left out, and in a second sentence what marks, filters and processors changed;
    the text is empty if every message was sent unchanged. `calls` are those that filters removed.
    """
    sides = sides_of(plan)
    cut = [entry for entry in sides.above if is_cut(entry)]
    others = [entry for entry in sides.above if entry not in cut and entry.verdict not in SENT]
    clauses = [*_held(sides), *_others([*others, *sides.below], plan, calls)]
    return wording.line(list(_cut(plan, sides, cut)), clauses)


def _cut(plan: Plan, sides: Sides, cut: Sequence[Entry]) -> Iterator[str]:
    gone = [entry for entry in cut if entry.verdict is not Verdict.SUMMARISED]
    if summarised := _count(cut) - _count(gone):
        yield wording.summarised(summarised)
    if not gone:
        return
    if all(entry.rule == "policy" for entry in gone):
        turns = wording.sent_by(plan.settings, _turns(plan, sides))
        yield wording.left_out(_count(gone), [turns])
    else:
        reasons = dict.fromkeys(brief(entry) for entry in gone)
        yield wording.left_out(_count(gone), list(reasons))


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


def _others(entries: Sequence[Entry], plan: Plan, calls: Calls) -> Iterator[str]:
    counts = counts_of(entries)
    for verdict in wording.OTHERS:
        if verdict is Verdict.FILTERED:
            yield from _filtered(entries, calls)
        elif counts[verdict]:
            yield wording.other(verdict, counts[verdict])
    for kind, count in omitted_parts(plan).items():
        yield wording.parts_left_out(kind, count)


def _filtered(entries: Sequence[Entry], calls: Calls) -> Iterator[str]:
    for each in filtered_by_tools(entries, calls):
        if each.tools:
            what = calls_in_words(each.tools, each.calls)
            yield wording.filtered(each.count, what, are_transfers=each.are_transfers)
        else:
            yield wording.other(Verdict.FILTERED, each.count)


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

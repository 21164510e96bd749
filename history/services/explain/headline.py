"""What the model saw, in one sentence made of a plan's facts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import CHANGED, PIN, PRESERVE, SENT, Verdict
from history.services.explain.filtered_calls import NO_CALLS, Calls
from history.services.explain.left_out import LeftOutPart, parts_of, total
from history.services.explain.window import PARTS, Sides, sides_of
from history.services.wire.delivery import Delivery, FailedRequest
from history.wording import headline as wording
from history.wording.omissions.left_out import were_left_out

UNNAMED = frozenset({Verdict.TRIMMED, Verdict.SUMMARISED})
MOST = 3  # The most clauses on what was left out or changed; the map has all of it.


def headline(
    plan: Plan,
    failed: FailedRequest | None = None,
    delivery: Delivery = Delivery.DELIVERED,
    calls: Calls = NO_CALLS,
) -> str:
    """Say what the model saw or, unless it is known that the model got the request, what the
    request has, had or would have had. `calls` are those that filters removed.
    """
    if failed and not failed.left:
        counts = plan.counts
        return wording.unsent(_why(failed), counts.sent, counts.transcript, plan.window.sent)
    history = [entry for entry in plan.entries if entry.positions]
    seen, rest = _seen(plan, history), list(_rest(plan, history, calls))[:MOST]
    if failed:
        return wording.unanswered(failed.message, seen, rest)
    if delivery is not Delivery.DELIVERED:
        return wording.request(seen, rest, is_pending=delivery is Delivery.PENDING)
    return wording.sentence(seen, rest)


def unsent_step(step: int, failed: FailedRequest) -> str:
    """Say of a later step of the answer that is shown that its request never left."""
    return wording.unsent_step(step, _why(failed))


def _why(failed: FailedRequest) -> str:
    return wording.why_unsent(failed.kind, failed.model) or failed.message


def _seen(plan: Plan, history: Sequence[Entry]) -> list[str]:
    """Say what the model saw: in turns if only the policy left messages out, else in messages."""
    sides = sides_of(plan)
    counts = counts_of(history)
    summaries = _summaries(counts[Verdict.SUMMARISED], total(history))
    if _is_by_policy(history, sides):
        turns = plan.counts.last_turn - (sides.below[0].first_turn or 0) + 1
        is_none = plan.settings.value("policy") == "none"
        own = wording.current_turn() if is_none else wording.last_turns(turns)
        return [own, *_held(sides), *summaries]
    return [_messages(plan, counts), *summaries]


def _summaries(count: int, left_out: int) -> list[str]:
    if not count:
        return []
    return [wording.summary_of_left_out(count) if count == left_out else wording.summary(count)]


def _messages(plan: Plan, counts: Mapping[Verdict, int]) -> str:
    sent_count, whole = plan.counts.sent, plan.counts.transcript
    if sent_count < whole:
        return wording.some_of(sent_count, whole)
    is_changed = any(counts[verdict] for verdict in Verdict if verdict is not Verdict.KEPT)
    return wording.all_of(whole) if is_changed else wording.whole(whole)


def _is_by_policy(history: Sequence[Entry], sides: Sides) -> bool:
    trimmed = [entry for entry in history if entry.verdict is Verdict.TRIMMED]
    by_policy = all(entry.rule == "policy" for entry in trimmed)
    return bool(trimmed) and by_policy and bool(sides.above)


def _held(sides: Sides) -> Iterator[str]:
    """Name the pins and preserved system messages from before the window's start that are sent."""
    rules = Counter[str]()
    for entry in sides.above:
        if entry.verdict in SENT:
            rules[entry.rule] += entry.count
    if rules[PIN]:
        yield wording.pinned(rules[PIN])
    if rules[PRESERVE]:
        yield wording.system(rules[PRESERVE])


def _rest(plan: Plan, history: Sequence[Entry], calls: Calls) -> Iterator[str]:
    yield from _left_out(parts_of(history, calls))
    counts = counts_of(history)
    for verdict in (each for each in wording.CLAUSES if each in CHANGED):
        if counts[verdict]:
            yield wording.clause(verdict, counts[verdict])
    omitted = omitted_parts(plan).items()
    yield from (wording.parts_left_out(kind, count) for kind, count in omitted)


def _left_out(parts: Sequence[LeftOutPart]) -> Iterator[str]:
    """Say how many messages were left out; if for several reasons, then how many of them for which.
    How many a summary stands for is said before.
    """
    if len(parts) == 1:
        yield from () if parts[0].verdict is Verdict.SUMMARISED else (_whole(parts[0]),)
        return
    if parts:
        others = [part for part in parts if part.verdict not in UNNAMED]
        words = [part.worded(of_them=part is others[0]) for part in others]
        yield were_left_out(sum(part.count for part in parts), words)


def _whole(part: LeftOutPart) -> str:
    if part.filtered is None:
        return wording.clause(part.verdict, part.count)
    transfers = part.filtered.are_transfers
    return wording.filtered(part.count, part.calls, are_transfers=transfers)


def counts_of(entries: Iterable[Entry]) -> Counter[Verdict]:
    """Count the messages with each verdict, except those that lost only images and files."""
    counts = Counter[Verdict]()
    for entry in entries:
        counts[entry.verdict] += 0 if entry.rule == PARTS else entry.count
    return counts


def omitted_parts(plan: Plan) -> Counter[str]:
    """Count the images and files that are left out of sent messages, by kind."""
    return Counter(part.kind for entry in plan.entries for part in entry.parts if part.omitted)

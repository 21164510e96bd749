"""Count what a request sends again after its first difference from the one before it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from history.core.money.prefix import Prefix, Spot, same_form, sent_entries
from history.core.plan.plan import Entry, Plan, Verdict
from history.models import ContextPlan, Message
from history.services.path.reading import on_path

MOST = 200  # Stretches whose tokens are read exactly.
Stretch: TypeAlias = tuple[
    Entry, int, int
]  # A run, and the first and last position of the part in question.


def resent_tokens(record: ContextPlan, before: Plan, after: Plan, prefix: Prefix) -> int:
    """Count, by our counter, what both requests send alike but the provider cannot reuse."""
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
    """Yield the stretches from a place on that the earlier request sent too, all in path order."""
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
            if first <= last and same_form(olds[n], new):
                yield new, first, last


def _tokens(record: ContextPlan, stretches: Sequence[Stretch]) -> int:
    parts = [(entry, a, b) for entry, a, b in stretches if b - a + 1 < entry.count]
    sums = _running_sums(record, [place for _, a, b in parts[:MOST] for place in (a, b)])
    return sum(_of_part(stretch, sums) for stretch in stretches)


def _of_part(stretch: Stretch, sums: Mapping[int, tuple[int, int]]) -> int:
    """Count exactly for whole runs and messages kept as they are; else use the run's average."""
    entry, first, last = stretch
    if last - first + 1 == entry.count:
        return entry.sent_tokens
    if entry.verdict is Verdict.KEPT and first in sums and last in sums:
        own, through = sums[first]
        return sums[last][1] - through + own
    return entry.sent_tokens * (last - first + 1) // entry.count


def _running_sums(record: ContextPlan, positions: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Map positions to a message's own tokens, and the sum up to and including it."""
    if not positions:
        return {}
    rows = Message.objects.filter(on_path(record.branch, record.head), position__in=positions)
    found = rows.values_list("position", "tokens", "tokens_through")
    return {position: (own, through) for position, own, through in found}

"""Find where the window begins, and say in one sentence what is left out and why."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from history.core.plan.plan import HELD, PRESERVE, SENT, Entry, Plan, Verdict
from history.wording import cut as wording
from history.wording.reasons import brief

CUT = frozenset({Verdict.TRIMMED, Verdict.FILTERED, Verdict.SUMMARISED})


@dataclass(frozen=True, slots=True)
class Sides:
    """The transcript's entries before the window's start, and from it on."""

    above: Sequence[Entry]
    below: Sequence[Entry]

    @property
    def start(self) -> int:
        return self.below[0].positions[0] if self.below else 0


def window_start(plan: Plan) -> Entry | None:
    """Return the first entry after a cut; None if nothing was cut off."""
    sides = sides_of(plan)
    return sides.below[0] if sides.above and sides.below else None


def sides_of(plan: Plan) -> Sides:
    """Split the entries; without a cut, all are below. Held messages above don't move the start."""
    history = [entry for entry in plan.entries if entry.positions]
    for place, entry in enumerate(history):
        if entry.verdict in SENT and entry.rule not in HELD:
            if any(map(_is_cut, history[:place])):
                return Sides(history[:place], history[place:])
            break
    return Sides((), history)


def cut_sentence(plan: Plan) -> str:
    """Say what is left out; empty if every message is sent unchanged."""
    sides = sides_of(plan)
    cut = [entry for entry in sides.above if _is_cut(entry)]
    others = [entry for entry in sides.above if entry not in cut and entry.verdict not in SENT]
    return " ".join([*_cut(plan, sides, cut), *_changes([*others, *sides.below])])


def held(plan: Plan) -> int:
    """Count the tokens of what is sent whatever policy and budget say."""
    return sum(e.sent_tokens for e in plan.entries if e.verdict in SENT and e.rule in HELD)


def _is_cut(entry: Entry) -> bool:
    return entry.verdict in CUT and entry.rule != PRESERVE


def _cut(plan: Plan, sides: Sides, cut: Sequence[Entry]) -> Iterator[str]:
    """Say what the model sees, then what summaries replace, what is gone, what is sent anyway."""
    gone = [entry for entry in cut if entry.verdict is not Verdict.SUMMARISED]
    reasons = list(dict.fromkeys(brief(entry) for entry in gone))
    is_by_policy = bool(gone) and all(_is_policy(entry) for entry in gone)
    if is_by_policy:
        yield wording.seen(
            plan.settings.value("policy"), sides.below[0].first_turn or 0, plan.counts.last_turn
        )
    if summarised := _count(cut) - _count(gone):
        yield wording.summarised(summarised)
    if gone:
        yield wording.left_out(_count(gone), [] if is_by_policy else reasons)
    if sent := _count(entry for entry in sides.above if entry.verdict in SENT):
        yield wording.still_sent(sent)


def _changes(entries: Iterable[Entry]) -> Iterator[str]:
    """Say what became of all that is not kept unchanged: `1 message was excluded.`"""
    counts = Counter[Verdict]()
    for entry in entries:
        counts[entry.verdict] += entry.count
    return (
        wording.changed(verdict, counts[verdict]) for verdict in wording.CHANGED if counts[verdict]
    )


def _is_policy(entry: Entry) -> bool:
    """Whether the policy left it out and facts say so: an older plan only has sentences."""
    return entry.rule == "policy" and not entry.is_told


def _count(entries: Iterable[Entry]) -> int:
    return sum(entry.count for entry in entries)

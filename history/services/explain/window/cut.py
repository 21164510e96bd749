"""Find where the window begins, and say in one sentence what is left out and why."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from history.core.plan.plan import HELD, PRESERVE, SENT, Entry, Plan, Verdict
from history.core.wording import number
from history.wording.reasons import brief

CUT = frozenset({Verdict.TRIMMED, Verdict.FILTERED, Verdict.SUMMARISED})
PLURALS = {Verdict.PLACEHOLDER: "placeholders"}


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
    changed = _counts(sides.below)
    if not sides.above:
        return f"Not sent as they stand: {changed}" if changed else ""
    parts = list(_stretches(plan, sides.above))
    if exceptions := _exceptions(sides.above):
        parts.append(f"above, {exceptions}")
    if changed:
        parts.append(f"further down {changed}")
    text = "; ".join(parts)
    return text[0].upper() + text[1:]


def held(plan: Plan) -> int:
    """Count the tokens of what is sent whatever policy and budget say."""
    return sum(e.sent_tokens for e in plan.entries if e.verdict in SENT and e.rule in HELD)


def _is_cut(entry: Entry) -> bool:
    return entry.verdict in CUT and entry.rule != PRESERVE


def _stretches(plan: Plan, above: Sequence[Entry]) -> Iterator[str]:
    """Yield what summaries stand for, then what is left out."""
    summarised = [entry for entry in above if entry.verdict is Verdict.SUMMARISED]
    gone = [e for e in above if _is_cut(e) and e.verdict is not Verdict.SUMMARISED]
    if summarised:
        count = len({entry.reasons for entry in summarised})
        how = "a summary" if count == 1 else f"{number(count)} summaries"
        yield f"{_places(summarised)} sent as {how}"
    if gone:
        why = " and ".join(dict.fromkeys(_why(plan, entry) for entry in gone))
        yield f"{_places(gone)} not sent to the model: {why}"


def _places(entries: Sequence[Entry]) -> str:
    """Write positions counted from 1 for people: `messages 1 to 90 are`."""
    first, last = entries[0].positions[0] + 1, entries[-1].positions[-1] + 1
    if first == last:
        return f"message {number(first)} is"
    return f"messages {number(first)} to {number(last)} are"


def _why(plan: Plan, entry: Entry) -> str:
    """Return the rule alone."""
    if entry.rule == "policy" and plan.settings.value("policy") == "none":
        return "policy none sends only the current turn"
    return brief(entry)


def _exceptions(above: Sequence[Entry]) -> str:
    """Describe what is sent from above the start, or left out there for its own reason."""
    sent = sum(entry.count for entry in above if entry.verdict in SENT)
    kept = [f"{number(sent)} sent all the same"] if sent else []
    others = (e for e in above if e.verdict not in SENT and not _is_cut(e))
    return ", ".join([*kept, *filter(None, [_counts(others)])])


def _counts(entries: Iterable[Entry]) -> str:
    """Count what is not kept unchanged: `12 placeholders, 1 excluded`."""
    counts: dict[Verdict, int] = {}
    for entry in entries:
        if entry.verdict is not Verdict.KEPT:
            counts[entry.verdict] = counts.get(entry.verdict, 0) + entry.count
    ordered = ((verdict, counts[verdict]) for verdict in Verdict if verdict in counts)
    return ", ".join(f"{number(count)} {_word(verdict, count)}" for verdict, count in ordered)


def _word(verdict: Verdict, count: int) -> str:
    return verdict.word if count == 1 else PLURALS.get(verdict, verdict.word)

"""The window in words: where it begins, what is left out and why, and how full it is."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from history.core.facts import Rule
from history.core.money import cost
from history.core.money.cost import UNKNOWN, dollars
from history.core.plan.injected import OPENING
from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import HELD, PRESERVE, SENT, Verdict
from history.core.plan.window import WindowSums
from history.core.wording import number
from history.wording import cut as wording
from history.wording.reasons import brief

CUT = frozenset({Verdict.TRIMMED, Verdict.FILTERED, Verdict.SUMMARISED})
PARTS = "parts"  # The rule by which images and files are left out of a message.
FIRST_WITH_BUDGET = 2  # The planner's version.


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
    return " ".join([*_cut(plan, sides, cut), *_parts(plan), *_changes([*others, *sides.below])])


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


def _parts(plan: Plan) -> Iterator[str]:
    """Say how many images and files are left out of messages that are sent."""
    omitted = Counter(part.kind for e in plan.entries for part in e.parts if part.omitted)
    facts = [f for entry in plan.entries for f in entry.reasons if f.rule is Rule.OMITTED]
    keeps = {fact.figures["kind"]: fact.figures["keep"] for fact in facts}
    return (wording.parts_left_out(kind, n, keeps.get(kind)) for kind, n in omitted.items())


def _changes(entries: Iterable[Entry]) -> Iterator[str]:
    """Say what became of all that is not kept unchanged: `1 message was excluded.` What only lost
    images and files is told apart.
    """
    counts = Counter[Verdict]()
    for entry in entries:
        counts[entry.verdict] += 0 if entry.rule == PARTS else entry.count
    return (
        wording.changed(verdict, counts[verdict]) for verdict in wording.CHANGED if counts[verdict]
    )


def _is_policy(entry: Entry) -> bool:
    """Whether the policy left it out and facts say so: an older plan only has sentences."""
    return entry.rule == "policy" and not entry.is_told


def _count(entries: Iterable[Entry]) -> int:
    return sum(entry.count for entry in entries)


@dataclass(frozen=True, slots=True)
class RequestTokens:
    """The request's tokens. `reported` is None until the provider reports them, if it does."""

    estimated: int
    counter: str
    reported: int | None = None

    @property
    def provider(self) -> str:
        return UNKNOWN if self.reported is None else number(self.reported)

    @property
    def difference(self) -> str:
        """How far the report differs from the estimate: `+1.9%`, `exact match`; empty
        without a report.
        """
        if self.reported is None or not self.estimated:
            return ""
        percent = 100 * (self.reported - self.estimated) / self.estimated
        return f"{percent:+.1f}%".replace("-", "\N{MINUS SIGN}") if percent else _("exact match")

    def __str__(self) -> str:
        more = f" ({self.difference})" if self.difference else ""
        estimate = f"estimated {number(self.estimated)} ({self.counter})"
        return f"{estimate} \N{MIDDLE DOT} provider reported {self.provider}{more}"


@dataclass(frozen=True, slots=True)
class ReplyBill:
    """A reply's tokens as reported and its cost as stored, a dash for what is unknown."""

    fresh: str = UNKNOWN
    cache_read: str = UNKNOWN
    cache_write: str = UNKNOWN
    output: str = UNKNOWN
    money: str = UNKNOWN
    note: str = ""

    def __str__(self) -> str:
        tokens = f"new {self.fresh}, cache read {self.cache_read}, cache write {self.cache_write}"
        note = f" ({self.note})" if self.note else ""
        return f"{tokens}, output {self.output} \N{MIDDLE DOT} cost {self.money}{note}"


def bill_of(reported: Mapping[str, int] | None, stored: Mapping[str, Any] | None) -> ReplyBill:
    """Make a bill from a `RequestOutcome`'s usage and cost."""
    if reported is None:
        return ReplyBill()
    usage = cost.Usage.reported(reported)
    return ReplyBill(
        fresh=_figure(usage.fresh),
        cache_read=_figure(reported.get("cache_read")),
        cache_write=_figure(reported.get("cache_write")),
        output=_figure(usage.output),
        money=dollars(Decimal(stored["total"]) if stored else None),
        note=cost.NONSENSE if usage.fresh is None else "",
    )


def sums(window: WindowSums) -> str:
    """Add up what is fixed, kept, reserved and free, to the window and what is over it."""
    optional = {_("summaries"): window.summaries, _("calibration"): window.calibration}
    parts = {
        _("fixed"): window.system_prompt + window.tool_schemas + window.injected,
        _("kept"): window.history,
        **{name: tokens for name, tokens in optional.items() if tokens},
        _("reserve"): window.output_reserve,
        _("free"): window.free,
    }
    whole = {_("window"): window.context_window, _("over"): window.over}
    left, right = _sum(parts), _sum({name: n for name, n in whole.items() if n})
    return f"{left} = {right}".replace("+ -", "\N{MINUS SIGN} ")


def budget_line(plan: Plan) -> str:
    """Write `history: 3,804 of 3,904 tokens`, and what else uses the history's budget; empty for
    a plan older than budgets.
    """
    if plan.version < FIRST_WITH_BUDGET:
        return ""
    used = plan.window.history - held(plan) - (_sent_opening(plan) if plan.opening else 0)
    line = _("History: {used} of {budget} tokens").format(
        used=number(used), budget=number(max(0, plan.budget))
    )
    return ", ".join([line, *_beside(plan)])


def _beside(plan: Plan) -> Iterator[str]:
    """Say what else takes room, and what made the budget what it is."""
    if pinned := held(plan):
        text = _("plus {tokens} for pinned and system messages")
        yield text.format(tokens=number(pinned))
    if plan.opening:
        yield _("plus {tokens} reserved for an opening line").format(tokens=number(plan.opening))
    if plan.limit > plan.budget:
        room = number(max(0, plan.limit))
        yield _("the context window has room for {tokens}").format(tokens=room)
    if plan.percent < 100:
        yield _("reduced to {percent}% because the provider rejected it as too long").format(
            percent=plan.percent
        )


def _sum(parts: Mapping[str, int]) -> str:
    return " + ".join(f"{number(tokens)} {name}" for name, tokens in parts.items())


def _sent_opening(plan: Plan) -> int:
    return sum(entry.sent_tokens for entry in plan.entries if entry.rule == OPENING)


def _figure(tokens: int | None) -> str:
    return UNKNOWN if tokens is None else number(tokens)

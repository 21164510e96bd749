"""The window in words: where it starts, and how full it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from history.core.money.cost import UNKNOWN
from history.core.plan.injected import OPENING
from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import HELD, PRESERVE, SENT, Verdict
from history.core.plan.window import WindowPart
from history.core.settings.resolved import Settings
from history.core.words.facts import Note, Rule
from history.core.words.wording import number
from history.wording.notes import WordedNote, worded

CUT = frozenset({Verdict.TRIMMED, Verdict.FILTERED, Verdict.SUMMARISED})
BEYOND_BUDGET = "beyond_budget"  # The part of the window that a token budget leaves unused.
PARTS = "parts"  # The rule that leaves images and files out of a message.


@dataclass(frozen=True, slots=True)
class Sides:
    """The transcript's entries before the window's start, and those from it on."""

    above: Sequence[Entry]
    below: Sequence[Entry]

    @property
    def start(self) -> int:
        return self.below[0].positions[0] if self.below else 0


def window_start(plan: Plan) -> Entry | None:
    """Return the first entry after a cut; None if no messages were cut off."""
    sides = sides_of(plan)
    return sides.below[0] if sides.above and sides.below else None


def sides_of(plan: Plan) -> Sides:
    """Divide the entries at the window's start; without a cut, all are `below`. Held messages
    before the start don't move it.
    """
    history = [entry for entry in plan.entries if entry.positions]
    for place, entry in enumerate(history):
        if entry.verdict in SENT and entry.rule not in HELD:
            if any(map(is_cut, history[:place])):
                return Sides(history[:place], history[place:])
            break
    return Sides((), history)


def held_tokens(plan: Plan) -> int:
    """Count the tokens of held messages, which are sent whatever the policy and the budget say."""
    return sum(e.sent_tokens for e in plan.entries if e.verdict in SENT and e.rule in HELD)


def with_held(plan: Plan, note: Note) -> WordedNote:
    """Word a note. Add to what the history uses what is held besides, as the window shows both."""
    (own,) = worded([note])
    tokens = held_tokens(plan)
    if note.fact.rule is not Rule.WITHIN_BUDGET or not tokens:
        return own
    more = _("Pinned and system messages use {tokens} more.").format(tokens=number(tokens))
    return replace(own, sentence=f"{own.sentence} {more}")


def is_cut(entry: Entry) -> bool:
    return entry.verdict in CUT and entry.rule != PRESERVE


@dataclass(frozen=True, slots=True)
class RequestTokens:
    """The tokens of a request. `reported` is None until the provider reports them."""

    estimated: int
    counter: str
    reported: int | None = None

    @property
    def provider(self) -> str:
        return UNKNOWN if self.reported is None else number(self.reported)

    @property
    def difference(self) -> str:
        """How far the provider's report is from the estimate: `+1.9%`, `exact match`; empty without
        a report.
        """
        if self.reported is None or not self.estimated:
            return ""
        percent = 100 * (self.reported - self.estimated) / self.estimated
        return f"{percent:+.1f}%".replace("-", "\N{MINUS SIGN}") if percent else _("exact match")

    def __str__(self) -> str:
        more = f" ({self.difference})" if self.difference else ""
        estimate = f"estimated {number(self.estimated)} ({self.counter})"
        return f"{estimate} \N{MIDDLE DOT} provider reported {self.provider}{more}"


def is_bounded(settings: Settings) -> bool:
    """Whether the token budget is below the window, whose rest then isn't free."""
    budget = settings.value("token_budget")
    return budget is not None and budget < settings.value("context_window")


def free_tokens(plan: Plan) -> int:
    """Return the tokens that the request could still have had."""
    window = plan.window
    if not is_bounded(plan.settings):
        return window.free
    room = int(plan.settings.value("token_budget")) - window.sent - window.output_reserve
    return max(0, min(window.free, room))


@dataclass(frozen=True, slots=True)
class RequestLimit:
    """The most tokens that a request may have: all of the window or, under a token `budget` below
    it, what this leaves beside the output reserve.
    """

    sent: int
    tokens: int
    budget: int | None = None

    @property
    def percent(self) -> float:
        """The share of the limit that is sent, in percent with one decimal."""
        return round(100 * self.sent / self.tokens, 1)


def limit_of(plan: Plan) -> RequestLimit:
    """Return the limit that binds; the window, if a budget leaves nothing beside the answer."""
    window, budget = plan.window, plan.settings.value("token_budget")
    if is_bounded(plan.settings) and budget > window.output_reserve:
        return RequestLimit(window.sent, budget - window.output_reserve, budget)
    return RequestLimit(window.sent, window.context_window)


def beyond_budget(plan: Plan) -> int:
    """Return the tokens of the window that the token budget keeps the request from using."""
    return plan.window.free - free_tokens(plan)


def window_parts(plan: Plan) -> Iterator[WindowPart]:
    """Yield the window's parts; under a token budget, what lies beyond it isn't free."""
    whole, beyond = plan.window.context_window + plan.window.over, beyond_budget(plan)
    sizes = {"free": free_tokens(plan), BEYOND_BUDGET: beyond}
    for part in plan.window.parts():
        if part.name != "free":
            yield part
    for name, tokens in sizes.items():
        if name == "free" or is_bounded(plan.settings):
            yield WindowPart(name, tokens, round(100 * tokens / whole, 2))


def sums(plan: Plan) -> str:
    """Write an equation: the fixed, history, reserved and free tokens, and those beyond a token
    budget, are the context window and any excess.
    """
    window = plan.window
    optional = {_("summaries"): window.summaries, _("difference in counting"): window.calibration}
    parts = {
        _("fixed"): window.system_prompt + window.tool_schemas + window.injected,
        _("history"): window.history,
        **{name: tokens for name, tokens in optional.items() if tokens},
        _("output reserve"): window.output_reserve,
        _("free"): free_tokens(plan),
    }
    if is_bounded(plan.settings):
        parts[_("beyond the token budget")] = beyond_budget(plan)
    whole = {_("window"): window.context_window, _("over"): window.over}
    left, right = _sum(parts), _sum({name: n for name, n in whole.items() if n})
    return f"{left} = {right}".replace("+ -", "\N{MINUS SIGN} ")


def budget_line(plan: Plan) -> str:
    """Write `History: 3,804 of 3,904 tokens`, then what else takes up room or limits it."""
    opening = sum(e.sent_tokens for e in plan.entries if e.rule == OPENING) if plan.opening else 0
    tokens = plan.window.history - held_tokens(plan) - opening
    text = _("History: {used} of {budget} tokens")
    if plan.budget <= 0:
        text = _("History: {used} tokens, although nothing of the budget is left for it")
    line = text.format(used=number(tokens), budget=number(plan.budget))
    return ", ".join([line, *_beside(plan)])


def _beside(plan: Plan) -> Iterator[str]:
    """Say what takes up room besides the history, and what limits the history budget."""
    if pinned := held_tokens(plan):
        text = _("plus {tokens} for pinned and system messages")
        yield text.format(tokens=number(pinned))
    if plan.opening:
        text = _(
            "plus {tokens} reserved for an opening, sent if the first message isn't the user's"
        )
        yield text.format(tokens=number(plan.opening))
    if plan.limit > plan.budget:
        room = number(max(0, plan.limit))
        yield _("the context window has room for {tokens}").format(tokens=room)
    if plan.percent < 100:
        yield _("reduced to {percent}% because the provider rejected it as too long").format(
            percent=plan.percent
        )


def _sum(parts: Mapping[str, int]) -> str:
    return " + ".join(f"{number(tokens)} {name}" for name, tokens in parts.items())

"""The window's sums and the budget as sentences, and the estimate next to what was reported."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from history.core.money import cost
from history.core.money.cost import UNKNOWN, dollars
from history.core.plan.injected import OPENING
from history.core.plan.plan import Plan
from history.core.plan.window import WindowSums
from history.core.wording import number
from history.services.explain.window.cut import held

FIRST_WITH_BUDGET = 2  # The planner's version.


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
        """How far the report differs from the estimate: `+1.9 %`, `exact`; empty without a
        report.
        """
        if self.reported is None or not self.estimated:
            return ""
        percent = 100 * (self.reported - self.estimated) / self.estimated
        return f"{percent:+.1f} %".replace("-", "\N{MINUS SIGN}") if percent else "exact"

    def __str__(self) -> str:
        more = f" ({self.difference})" if self.difference else ""
        estimate = f"estimated {number(self.estimated)} ({self.counter})"
        return f"{estimate} \N{MIDDLE DOT} provider says {self.provider}{more}"


def usage_of(
    window: WindowSums, counter: str, reported: Mapping[str, int] | None = None
) -> RequestTokens:
    return RequestTokens(window.sent, counter, reported.get("prompt") if reported else None)


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
        tokens = f"fresh {self.fresh}, cache read {self.cache_read}, cache write {self.cache_write}"
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
    """Say what is fixed, kept, reserved and free; the sum is the window and any excess."""
    optional = {"summaries": window.summaries, "calibration": window.calibration}
    parts = {
        "fixed": window.system_prompt + window.tool_schemas + window.injected,
        "kept": window.history,
        **{name: tokens for name, tokens in optional.items() if tokens},
        "reserve": window.output_reserve,
        "free": window.free,
    }
    left = " + ".join(f"{number(tokens)} {name}" for name, tokens in parts.items())
    over = f" + {number(window.over)} over" if window.over else ""
    total = f"{left} = {number(window.context_window)} window{over}"
    return total.replace("+ -", "\N{MINUS SIGN} ")


def budget_line(plan: Plan) -> str:
    """Write `history: 3,804 of 3,904 tokens`, and what else uses the history's budget; empty for
    a plan older than budgets.
    """
    if plan.version < FIRST_WITH_BUDGET:
        return ""
    used = plan.window.history - held(plan) - (_sent_opening(plan) if plan.opening else 0)
    line = f"history: {number(used)} of {number(max(0, plan.budget))} tokens"
    kept = [(held(plan), "of pins and system messages"), (plan.opening, "kept for an opening")]
    if beside := [f"{number(tokens)} {whose}" for tokens, whose in kept if tokens]:
        line += f", beside {' and '.join(beside)}"
    if plan.limit > plan.budget:
        line += f"; the context window has room for {number(max(0, plan.limit))}"
    if plan.percent < 100:
        line += f"; planned again at {plan.percent} %, since the provider found it too long"
    return line


def _sent_opening(plan: Plan) -> int:
    return sum(entry.sent_tokens for entry in plan.entries if entry.rule == OPENING)


def _figure(tokens: int | None) -> str:
    return UNKNOWN if tokens is None else number(tokens)

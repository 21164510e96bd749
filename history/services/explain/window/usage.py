"""The window's sums and the budget as sentences, and the estimate next to what was reported."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

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

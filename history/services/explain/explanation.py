"""A plan in words: the agent, the four main fields, the cut, the notes, the window."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from history.core.plan.plan import Plan, Verdict
from history.core.wording import number
from history.models import ContextPlan
from history.services.explain.window import RequestTokens, budget_line, cut_sentence, sums
from history.wording.notes import WordedNote, worded
from history.wording.settings import sources_of


@dataclass(frozen=True, slots=True)
class Explanation:
    """`agent` is a snapshot of the template, `reported` the provider's token figures, `cost` their
    cost.

    `turns` is how many the open branch has now, maybe more than when the plan was made.
    """

    plan: Plan
    agent: Mapping[str, Any]
    turn: int
    turns: int
    step: int | None = None
    reported: Mapping[str, int] | None = None
    cost: Mapping[str, Any] | None = None

    @property
    def policy(self) -> str:
        return str(self.plan.settings.value("policy"))

    @property
    def length(self) -> int:
        return int(self.plan.settings.value("length"))

    @property
    def uses_length(self) -> bool:
        return self.policy == "lastN"

    @property
    def sources(self) -> tuple[str, ...]:
        return sources_of(self.plan.settings)

    @property
    def sent(self) -> str:
        counts = self.plan.counts
        return _("{sent} of {count} messages sent").format(
            sent=number(counts.sent), count=number(counts.transcript)
        )

    @property
    def cut(self) -> str:
        return cut_sentence(self.plan)

    @property
    def notes(self) -> tuple[WordedNote, ...]:
        return worded(self.plan.notes)

    @property
    def sums(self) -> str:
        return sums(self.plan.window)

    @property
    def budget(self) -> str:
        return budget_line(self.plan)

    @property
    def usage(self) -> RequestTokens:
        prompt = self.reported.get("prompt") if self.reported else None
        return RequestTokens(self.plan.window.sent, self.plan.counter, prompt)

    @property
    def verdicts(self) -> list[tuple[Verdict, int]]:
        """The number of messages, and injected texts, with each verdict."""
        return [(verdict, self._count(verdict)) for verdict in Verdict]

    def _count(self, verdict: Verdict) -> int:
        return sum(entry.count for entry in self.plan.entries if entry.verdict is verdict)


def explanation_of(record: ContextPlan, turns: int) -> Explanation:
    outcome = getattr(record, "outcome", None)
    return Explanation(
        plan=record.core_plan,
        agent=record.generation.snapshot_at(record.step)["agent"],
        turn=record.generation.turn,
        turns=turns,
        step=record.step,
        reported=outcome.usage if outcome else None,
        cost=outcome.cost if outcome else None,
    )

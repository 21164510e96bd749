"""A plan in words, for the panel and for a terminal."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from agents.snapshot import AgentSnapshot
from history.core.plan.plan import Plan
from history.core.plan.verdict import Verdict
from history.core.plan.window import WindowPart
from history.core.words.facts import Note
from history.core.words.wording import number
from history.models import ContextPlan
from history.services.answers.background import is_taken_up
from history.services.explain.cut import cut_sentence, who_decided
from history.services.explain.filtered_calls import NO_CALLS, Calls, removed_calls
from history.services.explain.headline import headline
from history.services.explain.summary_sources import MadeByHand, made_by_hand
from history.services.explain.unbound import unbound_notes
from history.services.explain.window import (
    RequestLimit,
    RequestTokens,
    budget_line,
    limit_of,
    sums,
    window_parts,
    with_held,
)
from history.services.summaries.numbers import NO_NUMBERS, SummaryNumbers
from history.services.wire.delivery import Delivery, FailedRequest, delivery_of, failed_request
from history.wording.names import calibrated
from history.wording.notes import WordedNote, worded
from history.wording.parts import all_left_out, reasoning_left_out
from history.wording.remembering import remembers
from history.wording.wires import taken_up


@dataclass(frozen=True, slots=True)
class Explanation:
    """A plan with what explains it: `agent` is a snapshot of the template, `reported` the
    provider's token figures, `cost` their cost. `delivery` says whether the request reached the
    model and `failure` how it failed, if nothing came back; `streamed` are notes on the answer's
    stream. `is_taken_up`: another process than the one that sent the request has read the answer.

    `turns` is the number of turns on the open branch now, which may be more than when the plan was
    made. `is_stored`: the plan is the record of a request, and not only a try. `by_hand` has the
    summaries that a person asked for, `calls` counts the calls that filters removed, and `numbers`
    are the summaries' numbers.
    """

    plan: Plan
    agent: AgentSnapshot
    turn: int
    turns: int
    step: int | None = None
    reported: Mapping[str, int] | None = None
    cost: Mapping[str, Any] | None = None
    is_stored: bool = False
    failure: FailedRequest | None = None
    delivery: Delivery = Delivery.DELIVERED
    streamed: tuple[Note, ...] = ()
    is_taken_up: bool = False
    by_hand: Mapping[int, MadeByHand] = field(default_factory=dict)
    calls: Calls = field(default_factory=lambda: NO_CALLS)
    numbers: SummaryNumbers = NO_NUMBERS

    @property
    def headline(self) -> str:
        return headline(self.plan, self.failure, self.delivery, self.calls)

    @property
    def drawn_by(self) -> str:
        """A sentence on who chose the settings that left out or changed messages, if any did."""
        agent = self.agent
        source = f" ({agent.slug} v{agent.version})" if agent.version else ""
        return who_decided(self.plan, f"{agent.name}{source}", self.by_hand)

    @property
    def summarised_by_hand(self) -> MadeByHand | None:
        """The newest summary in this request that a person asked for."""
        return max(self.by_hand.values(), key=lambda summary: summary.asked, default=None)

    @property
    def has_left(self) -> bool:
        return self.failure is None or self.failure.left

    @property
    def sent(self) -> str:
        counts = self.plan.counts
        return _("{sent} of {count} messages sent").format(
            sent=number(counts.sent if self.has_left else 0), count=number(counts.transcript)
        )

    @property
    def cut(self) -> str:
        return cut_sentence(self.plan, self.calls)

    @property
    def nothing_cut(self) -> str:
        """Say that nothing was left out, and what is remembered. Empty if something was left out,
        or if nothing was sent.
        """
        if self.cut or not self.has_left:
            return ""
        remembered = remembers(self.plan.settings)
        return _("Nothing was left out. {remembered}").format(remembered=remembered)

    @property
    def notes(self) -> tuple[WordedNote, ...]:
        """Notes on the request, and on the stream in which the answer came."""
        own = (with_held(self.plan, self._numbered(note)) for note in self.plan.notes)
        again = (WordedNote(taken_up(), is_warning=False),) if self.is_taken_up else ()
        unbound = unbound_notes(self.plan, self.numbers)
        return (*own, *unbound, *again, *worded(self.streamed))

    def _numbered(self, note: Note) -> Note:
        return replace(note, fact=self.numbers.fact(note.fact))

    @property
    def sums(self) -> str:
        return sums(self.plan)

    @property
    def limit(self) -> RequestLimit:
        return limit_of(self.plan)

    @property
    def parts(self) -> tuple[WindowPart, ...]:
        """The parts of the window, with those that a token budget keeps from being used."""
        return tuple(window_parts(self.plan))

    @property
    def budget(self) -> str:
        return budget_line(self.plan)

    @property
    def reasoning(self) -> tuple[str, ...]:
        """How much reasoning is left out, with a line for each reason."""
        plan, rule = self.plan, self.numbers.rule(self.plan.reasoning)
        return tuple(
            all_left_out(count, reasoning_left_out(why, plan.settings, rule))
            for why, count in plan.reasoning_unsent.items()
            if count
        )

    @property
    def calibration(self) -> str:
        """A sentence on why the model's count differs from ours; empty if they agree."""
        return calibrated(self.plan.factor) if self.plan.window.calibration else ""

    @property
    def usage(self) -> RequestTokens:
        prompt = self.reported.get("prompt") if self.reported else None
        return RequestTokens(self.plan.window.sent, self.plan.counter, prompt)

    @property
    def verdicts(self) -> list[tuple[Verdict, int]]:
        """The number of messages and injected texts with each verdict."""
        counts = Counter[Verdict]()
        for entry in self.plan.entries:
            counts[entry.verdict] += entry.count
        return [(verdict, counts[verdict]) for verdict in Verdict]


def explanation_of(record: ContextPlan, turns: int) -> Explanation:
    outcome = getattr(record, "outcome", None)
    plan = record.core_plan
    return Explanation(
        plan=plan,
        agent=record.generation.snapshot_at(record.step).agent,
        turn=record.generation.turn,
        turns=turns,
        step=record.step,
        reported=outcome.usage if outcome else None,
        cost=outcome.cost if outcome else None,
        streamed=outcome.notes if outcome else (),
        is_taken_up=is_taken_up(record),
        is_stored=True,
        failure=failed_request(record),
        delivery=delivery_of(record),
        by_hand=made_by_hand(plan),
        calls=removed_calls(record),
        numbers=SummaryNumbers(record.generation.conversation_id),
    )

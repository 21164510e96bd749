"""The panel's zone on money: this reply, the conversation, and the effect of trimming on both."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from agents.catalogue import catalogue
from history.core.money.cost import UNKNOWN, dollars
from history.core.plan.plan import Plan
from history.core.wording import number, plural
from history.models import ContextPlan
from history.services.explain.cost.costs import (
    KINDS,
    Savings,
    Spending,
    SpendingTotal,
    StepCost,
    conversation_total,
    dearer_money,
    delegated_total,
    step_costs,
    together,
    trimming,
)
from history.services.explain.cost.previous import SharedWithPrevious

MEANINGS = {
    "fresh": "in no cache",
    "cache_read": "reused from the cache",
    "cache_write": "kept for next time",
    "output": "written by the model",
}


@dataclass(frozen=True, slots=True)
class KindRow:
    """One kind of tokens; a dash for unknown values."""

    label: str
    meaning: str
    tokens: str
    money: str


@dataclass(frozen=True, slots=True)
class StepRow:
    step: int
    tokens: Sequence[str]
    money: str


@dataclass(frozen=True, slots=True)
class TrimmingEffect:
    """The effect of trimming: money in words, and how it comes about."""

    label: str
    money: str
    sentence: str


@dataclass(frozen=True, slots=True)
class CostZone:
    """`dearer` is the extra cost of tokens that were re-read rather than read from the cache;
    `summaries` counts the total's requests for summaries, and `delegated` is the cost of
    delegated tasks.
    """

    steps: Sequence[StepCost]
    reply: Spending
    total: SpendingTotal
    saved: Savings
    common: SharedWithPrevious | None
    dearer: Decimal | None
    summaries: int = 0
    delegated: SpendingTotal | None = None

    @property
    def sentence(self) -> str:
        return f"this reply {dollars(self.reply.total)} \N{MIDDLE DOT} conversation {self._all}"

    @property
    def kinds(self) -> list[KindRow]:
        shares = self.reply.shares
        return [
            KindRow(
                label, MEANINGS[kind], _figure(shares[kind].tokens), dollars(shares[kind].money)
            )
            for kind, label in KINDS.items()
        ]

    @property
    def money(self) -> str:
        return dollars(self.reply.total)

    @property
    def note(self) -> str:
        """Why no cost is shown although tokens were reported."""
        if self.reply.note or self.reply.shares["output"].tokens is None:
            return self.reply.note
        if self.reply.total is None:
            return "a price of this model was not known"
        return "" if self.reply.total else "this model is free of charge"

    @property
    def cache_note(self) -> str:
        """A note if the kinds include more than was reported."""
        if not self.reply.silent:
            return ""
        steps = plural(self.reply.silent, "step")
        return f"of {steps} no cache was reported: the whole prompt counts as fresh there"

    @property
    def columns(self) -> list[str]:
        return list(KINDS.values())

    @property
    def step_rows(self) -> list[StepRow]:
        return [
            StepRow(
                part.step,
                [_figure(part.spent.shares[kind].tokens) for kind in KINDS],
                dollars(part.spent.total),
            )
            for part in self.steps
        ]

    @property
    def conversation(self) -> str:
        """The whole conversation's cost, as far as it is known."""
        total = self.total
        requests = f"{number(total.requests)} request{'' if total.requests == 1 else 's'}"
        if self.summaries:
            requests += f" ({number(self.summaries)} for summaries)"
        tokens = f"{_figure(total.prompt)} tokens in, {_figure(total.output)} out"
        unknown = f"; the cost of {number(total.unknown)} is not known" if total.unknown else ""
        return f"{requests}, {tokens}{unknown}"

    @property
    def _all(self) -> str:
        """The sum; with unknown parts it is a minimum."""
        least = "at least " if self.total.unknown and self.total.money is not None else ""
        return least + dollars(self.total.money)

    @property
    def effects(self) -> list[TrimmingEffect]:
        whole = TrimmingEffect("Conversation", self._all, self.conversation)
        return [whole, *self._delegated, self._trimming, *self._prefix]

    @property
    def _delegated(self) -> Iterator[TrimmingEffect]:
        if self.delegated and self.delegated.requests:
            how = f"{number(self.delegated.requests)} requests of agents that were asked"
            yield TrimmingEffect("Of which delegated", dollars(self.delegated.money), how)

    @property
    def _trimming(self) -> TrimmingEffect:
        if not self.saved.tokens:
            return TrimmingEffect("Trimming saved", dollars(Decimal(0)), "nothing was left out")
        tokens = f"{plural(self.saved.tokens, 'token')} not sent in this request"
        how = f"{tokens}, at the price of fresh ones"
        return TrimmingEffect("Trimming saved", _about(self.saved.money), how)

    @property
    def _prefix(self) -> Iterator[TrimmingEffect]:
        if self.common is None:
            return
        yield TrimmingEffect("Lost to re-reading", self._moved_money, prefix_sentence(self.common))

    @property
    def _moved_money(self) -> str:
        common = self.common
        if common is None or common.cold or not common.resent:
            return dollars(Decimal(0))
        return _about(self.dearer)


def cost_zone(
    record: ContextPlan, plan: Plan, steps: Iterable[ContextPlan], common: SharedWithPrevious | None
) -> CostZone:
    """Build the zone. `common`: the comparison with the request before, if there is one."""
    prices = catalogue().prices(record.parameters["model"])
    conversation = record.generation.conversation
    costs, own = step_costs(steps), conversation_total(conversation)
    delegated = delegated_total(conversation)
    return CostZone(
        steps=costs,
        reply=together([part.spent for part in costs]),
        total=own + delegated,
        saved=trimming(plan, prices),
        common=common,
        dearer=dearer_money(common.resent if common else 0, plan, prices),
        summaries=own.summaries,
        delegated=delegated,
    )


def prefix_sentence(common: SharedWithPrevious) -> str:
    """Say what can be reused from the request before, and what caused the first difference."""
    shared = f"{number(common.shared)} tokens from the start are those of {before(common)}"
    if common.cause is None:
        return f"{shared}, and the rest is new"
    what = common.prefix.first_difference
    again = f"{number(common.resent)} tokens are read anew"
    cold = "; the pause had outlived the cache anyway" if common.cold else ""
    return f"{shared}; then {what}, by {common.cause.sentence}: {again}{cold}"


def before(common: SharedWithPrevious) -> str:
    return f"turn {number(common.turn)}, step {number(common.step)}"


def _figure(tokens: int | None) -> str:
    return UNKNOWN if tokens is None else number(tokens)


def _about(money: Decimal | None) -> str:
    """Mark an amount as an estimate, unless it is a dash."""
    return dollars(money) if money is None else f"\N{ALMOST EQUAL TO} {dollars(money)}"

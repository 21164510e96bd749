"""The panel's zone on money: this reply, the conversation, and the effect of trimming on both."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agents.catalogue import catalogue
from chatapp.inspector.cost.prefix import prefix_sentence
from history.core.money.cost import UNKNOWN, dollars
from history.core.plan.plan import Plan
from history.core.wording import number
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
    "fresh": gettext_lazy("not cached"),
    "cache_read": gettext_lazy("sent before"),
    "cache_write": gettext_lazy("for later requests"),
    "output": gettext_lazy("written by the model"),
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
        return _("this reply {reply} \N{MIDDLE DOT} conversation {conversation}").format(
            reply=dollars(self.reply.total), conversation=self._all
        )

    @property
    def kinds(self) -> list[KindRow]:
        shares = self.reply.shares
        return [
            KindRow(
                str(label),
                str(MEANINGS[kind]),
                _figure(shares[kind].tokens),
                dollars(shares[kind].money),
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
            return _("The price of this model wasn't known.")
        return "" if self.reply.total else _("This model is free.")

    @property
    def cache_note(self) -> str:
        """A note if the kinds include more than was reported."""
        if not self.reply.silent:
            return ""
        return ngettext(
            "{count} step reported no cache figures. Its whole prompt counts as new.",
            "{count} steps reported no cache figures. Their whole prompts count as new.",
            self.reply.silent,
        ).format(count=number(self.reply.silent))

    @property
    def columns(self) -> list[str]:
        return [str(label) for label in KINDS.values()]

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
        parts = [
            ngettext("{count} request", "{count} requests", total.requests).format(
                count=number(total.requests)
            )
        ]
        if self.summaries:
            parts.append(_("{count} of them for summaries").format(count=number(self.summaries)))
        sent, written = _figure(total.prompt), _figure(total.output)
        parts.append(_("{sent} tokens in, {written} out").format(sent=sent, written=written))
        if total.unknown:
            parts.append(_("price unknown for {count}").format(count=number(total.unknown)))
        return ", ".join(parts)

    @property
    def _all(self) -> str:
        """A sum with something unknown in it is at least what is known."""
        money = dollars(self.total.money)
        if self.total.unknown and self.total.money is not None:
            return _("at least {money}").format(money=money)
        return money

    @property
    def effects(self) -> list[TrimmingEffect]:
        whole = TrimmingEffect(_("Conversation"), self._all, self.conversation)
        return [whole, *self._delegated, self._trimming, *self._prefix]

    @property
    def _delegated(self) -> Iterator[TrimmingEffect]:
        if self.delegated and self.delegated.requests:
            how = ngettext(
                "{count} request from another agent",
                "{count} requests from other agents",
                self.delegated.requests,
            ).format(count=number(self.delegated.requests))
            yield TrimmingEffect(_("Delegated tasks"), dollars(self.delegated.money), how)

    @property
    def _trimming(self) -> TrimmingEffect:
        if not self.saved.tokens:
            return TrimmingEffect(
                _("Saved by trimming"), dollars(Decimal(0)), _("nothing was left out")
            )
        how = ngettext(
            "{count} token left out of this request, at the uncached price",
            "{count} tokens left out of this request, at the uncached price",
            self.saved.tokens,
        ).format(count=number(self.saved.tokens))
        return TrimmingEffect(_("Saved by trimming"), _about(self.saved.money), how)

    @property
    def _prefix(self) -> Iterator[TrimmingEffect]:
        if self.common is None:
            return
        yield TrimmingEffect(
            _("Lost to re-reading"), self._moved_money, prefix_sentence(self.common)
        )

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


def _figure(tokens: int | None) -> str:
    return UNKNOWN if tokens is None else number(tokens)


def _about(money: Decimal | None) -> str:
    """Mark an amount as an estimate, unless it is a dash."""
    return dollars(money) if money is None else f"\N{ALMOST EQUAL TO} {dollars(money)}"

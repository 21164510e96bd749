"""The zone on cost: of this reply, of the conversation, and how trimming changes both."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agents.catalogue import catalogue
from chatapp.inspector.cost import example
from chatapp.inspector.cost.inputs import InputLine, input_lines
from chatapp.inspector.cost.re_reading import ReReading, re_reading
from chatapp.inspector.cost.sentences import (
    about,
    delegated_sentence,
    re_read_sentence,
    saved_sentence,
    turn_cost,
)
from chatapp.inspector.zone import ShownRecord, Zone
from history.core.money.cost import UNKNOWN, CostShare, dollars
from history.core.money.split import TEXTS
from history.core.words.wording import number
from history.services.explain.cost.inputs import InputCosts, input_costs
from history.services.explain.cost.spending import (
    KINDS,
    Spending,
    SpendingTotal,
    StepCost,
    conversation_total,
    delegated_total,
    reasoning_of,
    step_costs,
    sum_of,
    trimming,
)
from history.services.wire.delivery import has_left

MEANINGS = {
    "fresh": gettext_lazy("not cached"),
    "cache_read": gettext_lazy("sent before"),
    "cache_write": gettext_lazy("for later requests"),
    "output": gettext_lazy("written by the model"),
}


@dataclass(frozen=True, slots=True)
class CostZone:
    """The data of the cost zone.

    `re_read` is what was read again of the shown request, and `re_read_at_start` that of the turn's
    first request, if another one is shown. `summaries` is how many requests for summaries the total
    includes, and `delegated` is the cost of delegated tasks. `thought` is the part of the output
    that was reasoning, and `inputs` are the costs of what the shown request held. `priced_as` names
    the model of an example. `requests` is how many requests of the reply were really sent.
    """

    steps: Sequence[StepCost]
    reply: Spending
    total: SpendingTotal
    saved: CostShare
    re_read: ReReading | None
    summaries: int
    delegated: SpendingTotal
    thought: CostShare
    inputs: InputCosts
    priced_as: str = ""
    requests: int = 1
    re_read_at_start: ReReading | None = None
    leaves_out_reasoning: bool = False

    @property
    def has_left(self) -> bool:
        return self.requests > 0

    @property
    def is_paid(self) -> bool:
        return self.has_left and not self.priced_as

    @property
    def sentence(self) -> str:
        costs = _("this answer {answer} \N{MIDDLE DOT} chat {chat}").format(
            answer=dollars(self.reply.total), chat=self._all
        )
        if not self.priced_as:
            return costs
        return _("as {model} would: {costs}").format(model=self.priced_as, costs=costs)

    @property
    def turn(self) -> str:
        return turn_cost(self.reply, self.priced_as, self.requests) if self.has_left else ""

    @property
    def kinds(self) -> Iterator[tuple[str, str, str, str]]:
        """List each kind of tokens: its name, its meaning, how many there are, and their cost."""
        for kind, label in KINDS.items():
            share = self.reply.shares[kind]
            yield str(label), str(MEANINGS[kind]), _figure(share.tokens), dollars(share.money)

    @property
    def thinking(self) -> tuple[str, str] | None:
        """How much of the output was reasoning, in tokens and money; None if nothing was."""
        return (
            (number(tokens), dollars(self.thought.money))
            if (tokens := self.thought.tokens)
            else None
        )

    @property
    def input_lines(self) -> Sequence[InputLine]:
        """The input of the request, by kind; it is empty if the input contains only texts."""
        is_shown = self.has_left and set(self.inputs.kinds) != {TEXTS}
        return tuple(input_lines(self.inputs)) if is_shown else ()

    @property
    def money(self) -> str:
        return dollars(self.reply.total)

    @property
    def note(self) -> str:
        """Say why no cost, or only an example, is shown."""
        if self.priced_as:
            return _(
                "The demo model is free. These amounts are an example, at the prices of {model}; "
                "they count nowhere else."
            ).format(model=self.priced_as)
        if self.reply.note or self.reply.shares["output"].tokens is None:
            return self.reply.note
        if self.reply.total is None:
            return _("The price of this model wasn't known.")
        if self.reply.total:
            return ""
        return _("This model is free.") if self.has_left else _("Nothing was sent, so it was free.")

    @property
    def cache_note(self) -> str:
        """Note that steps without cache figures count their whole prompts as not cached."""
        if not self.reply.silent:
            return ""
        return ngettext(
            "{count} step reported no cache figures. Its whole prompt counts as new.",
            "{count} steps reported no cache figures. Their whole prompts count as new.",
            self.reply.silent,
        ).format(count=number(self.reply.silent))

    @property
    def re_read_warning(self) -> str:
        """Say how much of the reply's cost is due to re-reading; empty if nothing known is."""
        readings = [each for each in (self.re_read_at_start, self.re_read) if each and each.is_paid]
        money = sum((each.dearer for each in readings if each.dearer), Decimal(0))
        return re_read_sentence(money, self.reply, self.priced_as)

    @property
    def columns(self) -> list[str]:
        return [str(label) for label in KINDS.values()]

    @property
    def step_rows(self) -> Iterator[tuple[int, list[str], str]]:
        """List the steps: the number of each, its tokens by kind, and its cost."""
        for part in self.steps:
            tokens = [_figure(part.spent.shares[kind].tokens) for kind in KINDS]
            yield part.step, tokens, dollars(part.spent.total)

    @property
    def conversation(self) -> str:
        """The cost of the whole conversation, as far as it is known."""
        total = self.total
        requests = ngettext("{count} request", "{count} requests", total.requests)
        parts = [requests.format(count=number(total.requests))]
        if self.summaries:
            parts.append(_("{count} of them for summaries").format(count=number(self.summaries)))
        prompt, output = _figure(total.prompt), _figure(total.output)
        parts.append(_("{sent} tokens in, {written} out").format(sent=prompt, written=output))
        if total.unknown:
            parts.append(_("price unknown for {count}").format(count=number(total.unknown)))
        if total.unanswered:
            parts.append(_("{n} got no response").format(n=number(total.unanswered)))
        if self.priced_as:
            parts.append(_("without a cache"))
        return ", ".join(parts)

    @property
    def _all(self) -> str:
        """The total cost; it is given as a minimum if a part of it is unknown."""
        money = dollars(self.total.money)
        if self.total.unknown and self.total.money is not None:
            return _("at least {money}").format(money=money)
        return money

    @property
    def effects(self) -> Iterator[tuple[str, str, str]]:
        """Yield the name of each effect, its amount, and a sentence on how it comes about."""
        yield _("Chat"), self._all, self.conversation
        if self.delegated.requests:
            others = delegated_sentence(self.delegated.requests)
            yield _("Delegated tasks"), dollars(self.delegated.money), others
        if not self.has_left:
            return
        saved = about(self.saved.money) if self.saved.tokens else dollars(Decimal(0))
        sentence = saved_sentence(self.saved, has_reasoning=self.leaves_out_reasoning)
        yield _("Saved by leaving out"), saved, sentence
        own, first = self.re_read, self.re_read_at_start
        is_lost_first = first is not None and first.is_paid
        if own and (own.is_paid or not is_lost_first):
            yield _("Lost to re-reading"), own.money, own.sentence
        if first and is_lost_first:
            yield _("Lost to re-reading in step 1"), first.money, first.sentence


def cost_zone(panel: ShownRecord) -> CostZone | None:
    """Build the zone; None for readers who may not see costs."""
    if not panel.with_money:
        return None
    record, plan, conversation = panel.record, panel.plan, panel.conversation
    model = str(record.parameters["model"])
    costs, own = step_costs(panel.steps), conversation_total(conversation)
    priced_as = example.example_prices(model) if example.is_all_free(own) else None
    prices = priced_as or catalogue().prices(model)
    if priced_as:
        costs = [StepCost(c.step, example.spending(c.spent, prices)) for c in costs]
        own = example.spending_total(own, prices)
    reply = sum_of([part.spent for part in costs])
    own_step = next(part.spent for part in costs if part.step == record.step)
    delegated = delegated_total(conversation)
    return CostZone(
        steps=costs,
        reply=reply,
        total=own + delegated,
        saved=trimming(plan, prices),
        re_read=re_reading(panel.common, plan, prices),
        summaries=own.summaries,
        delegated=delegated,
        thought=reasoning_of(record.generation, reply.shares["output"]),
        inputs=input_costs(plan, own_step, prices),
        priced_as=example.NAME if priced_as else "",
        requests=sum(map(has_left, panel.steps)),
        re_read_at_start=re_reading(panel.common_at_start, plan, prices),
        leaves_out_reasoning=any(plan.reasoning_unsent.values()),
    )


def _figure(tokens: int | None) -> str:
    return UNKNOWN if tokens is None else number(tokens)


HINT = gettext_lazy("this answer and the whole chat")
COST = Zone("cost", gettext_lazy("Cost"), HINT, cost_zone, "right")

"""The result of a try, next to the original request: figures, changed messages, refusals."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chatapp.inspector.cost import example
from history.core.money.cost import UNKNOWN, dollars
from history.core.plan.comparison import VerdictChange
from history.core.plan.plan import Plan
from history.core.words.wording import N, number, signed
from history.services.explain.unbound import unbound_notes
from history.services.explain.window import free_tokens
from history.services.summaries.numbers import NO_NUMBERS, SummaryNumbers
from history.services.whatif.trying import TriedVariant
from history.wording.differences import difference_of
from history.wording.names import capitalised, messages
from history.wording.notes import WordedNote, worded
from history.wording.reasons import reason_of

SHOWN = 20  # The most runs of changed messages that are shown.


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """A run of messages, and why its verdict would change."""

    where: str
    change: VerdictChange
    numbers: SummaryNumbers

    @property
    def reason(self) -> str:
        return capitalised(reason_of(self.numbers.entry(self.change.entry)))


@dataclass(frozen=True, slots=True)
class WhatIfResult:
    """The result of a try. `with_money` says whether the reader may see costs, `has_left` whether
    the original request was really sent, and `output` how many tokens its answer had.
    """

    as_it_is: TriedVariant
    tried: TriedVariant
    with_money: bool
    has_left: bool = True
    output: int = 0
    numbers: SummaryNumbers = NO_NUMBERS

    @property
    def was(self) -> str:
        """The heading of the original request's figures."""
        return _("As sent") if self.has_left else _("As planned")

    def figures(self) -> list[tuple[str, str, str, str]]:
        """List the figures: each one's name, what it was, what it is now, and the difference."""
        was, now = example.with_example_cost(self.as_it_is), example.with_example_cost(self.tried)
        if was.plan is None or now.plan is None:
            return []
        return list(_figures(was, now, was.plan, now.plan, with_money=self.with_money))

    @property
    def why_not_compared(self) -> str:
        """Say why there is no difference of costs, if one of the two is only an example."""
        sides = (self.as_it_is, self.tried)
        is_shown = self.with_money and all(side.prediction for side in sides)
        if not is_shown or len(set(map(example.is_one, sides))) == 1:
            return ""
        return _(
            "The demo model is free: its side has what {model} would have cost, only to give an "
            "idea. That is no real saving, so no difference is shown."
        ).format(model=example.NAME)

    @property
    def answer_assumed(self) -> str:
        """Say for which answer the costs are."""
        if not self.output:
            return _("The expected cost is of the request alone, without an answer.")
        return ngettext(
            "The expected cost assumes an answer of {count} token, as it was.",
            "The expected cost assumes an answer of {count} tokens, as it was.",
            self.output,
        ).format(count=number(self.output))

    @property
    def lines(self) -> list[ChangeLine]:
        return [
            ChangeLine(capitalised(messages(c.first, c.last)), c, self.numbers)
            for c in self.tried.changes[:SHOWN]
        ]

    @property
    def changing(self) -> int:
        """Count the messages whose verdict would change."""
        return sum(change.count for change in self.tried.changes)

    @property
    def more(self) -> int:
        """Count those of them that `lines` leaves out."""
        return sum(change.count for change in self.tried.changes[SHOWN:])

    @property
    def notes(self) -> tuple[WordedNote, ...]:
        """The notes on the tried plan that the original plan doesn't have."""
        was, now = self.as_it_is.plan, self.tried.plan
        if was is None or now is None:
            return ()
        own = worded(note for note in now.notes if note not in was.notes)
        before = unbound_notes(was, self.numbers)
        return (*own, *(n for n in unbound_notes(now, self.numbers) if n not in before))

    @property
    def first_difference(self) -> str:
        """The first difference of the tried request from the one before, where the cache ends."""
        prediction = self.tried.prediction
        if prediction is None or prediction.first_difference is None:
            return ""
        return difference_of(self.numbers.fact(prediction.first_difference))


def _figures(
    was: TriedVariant, now: TriedVariant, old: Plan, new: Plan, *, with_money: bool
) -> Iterator[tuple[str, str, str, str]]:
    yield figure(_("Tokens sent"), old.window.sent, new.window.sent)
    yield figure(_("Messages sent"), old.counts.sent, new.counts.sent)
    unsent, unsent_now = (sum(plan.reasoning_unsent.values()) for plan in (old, new))
    if unsent or unsent_now:
        yield figure(_("Reasoning not sent"), unsent, unsent_now)
    yield figure(_("Tokens free"), free_tokens(old), free_tokens(new))
    if was.prediction and now.prediction:
        before, after = was.prediction, now.prediction
        yield figure(_("Expected from cache"), before.cache_read, after.cache_read)
        if with_money:
            yield _cost(was, now, before.money, after.money)


def _cost(
    was: TriedVariant, now: TriedVariant, before: Decimal | None, after: Decimal | None
) -> tuple[str, str, str, str]:
    """Compare the costs; an example and a real price are only shown side by side."""
    examples = example.is_one(was), example.is_one(now)
    if any(examples) and not all(examples):
        sides = [
            _as_example(money) if is_example else dollars(money)
            for money, is_example in zip((before, after), examples, strict=True)
        ]
        return _("Expected cost"), sides[0], sides[1], UNKNOWN
    label = _("Expected cost, as {model}") if all(examples) else _("Expected cost")
    money = UNKNOWN
    if before is not None and after is not None:
        money = difference(after - before, dollars)
    return label.format(model=example.NAME), dollars(before), dollars(after), money


def _as_example(money: Decimal | None) -> str:
    return _("{money} as {model}").format(money=dollars(money), model=example.NAME)


def figure(label: str, was: int, now: int) -> tuple[str, str, str, str]:
    return label, number(was), number(now), difference(now - was, number)


def difference(by: N, text_of: Callable[[N], str]) -> str:
    """Write a difference, such as `+3`, with a real minus sign; `same` if there is none."""
    return signed(by, text_of) if by else _("same")

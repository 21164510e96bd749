"""The result of a try, next to the original request: figures, changed messages, refusals."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from history.core.money.cost import UNKNOWN, dollars
from history.core.plan.comparison import VerdictChange
from history.core.plan.plan import Plan
from history.core.wording import N, number, signed
from history.services.whatif.trying import TriedVariant
from history.wording.differences import difference_of
from history.wording.names import capitalised, messages
from history.wording.notes import WordedNote, worded
from history.wording.reasons import reason_of

SHOWN = 20  # Runs that change.


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """A run of messages, and why its verdict would change."""

    where: str
    change: VerdictChange

    @property
    def reason(self) -> str:
        return capitalised(reason_of(self.change.entry))


@dataclass(frozen=True, slots=True)
class WhatIfResult:
    """`with_money`: the reader may know what it costs."""

    as_it_is: TriedVariant
    tried: TriedVariant
    with_money: bool

    def figures(self) -> list[tuple[str, str, str, str]]:
        """List the figures: each one's name, what it was, what it is now, and the difference."""
        was, now = self.as_it_is, self.tried
        if was.plan is None or now.plan is None:
            return []
        return list(_figures(was, now, was.plan, now.plan, with_money=self.with_money))

    @property
    def lines(self) -> list[ChangeLine]:
        return [
            ChangeLine(capitalised(messages(c.first, c.last)), c)
            for c in self.tried.changes[:SHOWN]
        ]

    @property
    def more(self) -> int:
        return max(0, len(self.tried.changes) - SHOWN)

    @property
    def notes(self) -> tuple[WordedNote, ...]:
        """What the other plan says about the request that the original doesn't."""
        was, now = self.as_it_is.plan, self.tried.plan
        return worded(n for n in now.notes if n not in was.notes) if was and now else ()

    @property
    def first_difference(self) -> str:
        """What would keep the cache from reading all of the request before it."""
        found = self.tried.prediction
        return difference_of(found.first_difference) if found else ""


def _figures(
    was: TriedVariant, now: TriedVariant, old: Plan, new: Plan, *, with_money: bool
) -> Iterator[tuple[str, str, str, str]]:
    yield _figure(_("Tokens sent"), old.window.sent, new.window.sent)
    yield _figure(_("Messages sent"), old.counts.sent, new.counts.sent)
    yield _figure(_("Tokens free"), old.window.free, new.window.free)
    if was.prediction and now.prediction:
        before, after = was.prediction, now.prediction
        yield _figure(_("Expected from cache"), before.cache_read, after.cache_read)
        if with_money:
            money = UNKNOWN
            if before.money is not None and after.money is not None:
                money = _signed(after.money - before.money, dollars)
            yield _("Expected cost"), dollars(before.money), dollars(after.money), money


def _figure(label: str, was: int, now: int) -> tuple[str, str, str, str]:
    return label, number(was), number(now), _signed(now - was, number)


def _signed(difference: N, written: Callable[[N], str]) -> str:
    """Write a difference: `+3`, with a true minus; `same` for none."""
    return signed(difference, written) if difference else _("same")

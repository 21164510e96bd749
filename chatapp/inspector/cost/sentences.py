"""Sentences in the cost zone: on a turn's cost, on what leaving out saved, and on the part of a
request that the previous request also contained.
"""

from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from history.core.money.cost import CostShare, dollars
from history.core.words.facts import Rule
from history.core.words.wording import number
from history.services.explain.cost.inputs import INPUT
from history.services.explain.cost.previous import INJECTED, TRIM, SharedWithPrevious
from history.services.explain.cost.spending import Spending
from history.wording.differences import difference_of


def turn_cost(reply: Spending, priced_as: str = "", requests: int = 1) -> str:
    """Say what a turn cost; empty until the answer's usage is known. For several requests, include
    how many tokens they sent: the window's figures cover only one. For `priced_as` see `CostZone`.
    """
    if reply.shares["output"].tokens is None and reply.total is None:
        return ""
    if requests == 1 or reply.shares["fresh"].tokens is None:
        return _of_one(reply, priced_as)
    tokens = sum(reply.shares[kind].tokens or 0 for kind in INPUT)
    return ngettext(
        "{count} request of this turn: {tokens} tokens sent, {price}.",
        "{count} requests of this turn: {tokens} tokens sent, {price}.",
        requests,
    ).format(count=number(requests), tokens=number(tokens), price=_price(reply, priced_as))


def _of_one(reply: Spending, priced_as: str) -> str:
    if reply.total is None:
        return _("The price of this turn isn't known.")
    money = dollars(reply.total)
    if priced_as:
        text = _("This turn was free; with {model} it would have cost {money}.")
        return text.format(model=priced_as, money=money)
    if not reply.total:
        return _("This turn was free.")
    return _("This turn cost {money}.").format(money=money)


def _price(reply: Spending, priced_as: str) -> str:
    if reply.total is None:
        return _("price unknown")
    money = dollars(reply.total)
    if priced_as:
        text = _("free; with {model} it would have cost {money}")
        return text.format(model=priced_as, money=money)
    return money if reply.total else _("free")


def delegated_sentence(requests: int) -> str:
    return ngettext(
        "{count} request from another agent", "{count} requests from other agents", requests
    ).format(count=number(requests))


def saved_sentence(saved: CostShare, *, has_reasoning: bool = False) -> str:
    """Say how many tokens were left out, and which price the saved amount assumes."""
    if not saved.tokens:
        return _("nothing was left out")
    left_out = ngettext(
        "{count} token left out of this request",
        "{count} tokens left out of this request",
        saved.tokens,
    ).format(count=number(saved.tokens))
    if has_reasoning:
        left_out = _("{left_out}, reasoning included").format(left_out=left_out)
    return _("{left_out}, at the uncached price; What-if counts with the cache").format(
        left_out=left_out
    )


def re_read_sentence(money: Decimal, reply: Spending, priced_as: str = "") -> str:
    """Say how much of a reply's cost is due to re-reading; empty if nothing is, or if its cost is
    unknown. For `priced_as` see `CostZone`.
    """
    if not (money and reply.total):
        return ""
    text = (
        _(
            "Messages had to be read anew, for {money} of the {total} that this answer would have "
            "cost with {model}. Cost says why."
        )
        if priced_as
        else _("Messages had to be read anew, for {money} of this answer's {total}. Cost says why.")
    )
    return text.format(model=priced_as, money=about(money), total=dollars(reply.total))


def prefix_sentence(common: SharedWithPrevious) -> str:
    """Say how much can be read from the previous request's cache, and why the rest can't."""
    if common.other_model:
        return _("{model} answered {request}. No model can read another's cache.").format(
            model=common.other_model, request=before(common)
        )
    shared = ngettext(
        "The first token matches {request}.",
        "The first {count} tokens match {request}.",
        common.shared,
    ).format(count=number(common.shared), request=before(common))
    if common.cause is None:
        return _("{shared} The rest is new.").format(shared=shared)
    why = why_different(common)
    if not common.resent:
        return _("{shared} The rest is new, because {why}.").format(shared=shared, why=why)
    again = _("{shared} {count} tokens had to be re-read because {why}.").format(
        shared=shared, count=number(common.resent), why=why
    )
    return (
        _("{sentence} The cache had expired anyway.").format(sentence=again)
        if common.cold
        else again
    )


def why_different(common: SharedWithPrevious) -> str:
    """Say where two requests first differ, and who or what caused that, unless the difference says
    so: a window that moved, or an injected text.
    """
    fact = common.prefix.first_difference
    difference = difference_of(fact)
    cause = common.cause.name if common.cause else INJECTED
    if cause is INJECTED or (cause is TRIM and fact and fact.rule is Rule.WINDOW_MOVED):
        return difference
    return _("{difference} ({cause})").format(difference=difference, cause=cause)


def before(common: SharedWithPrevious) -> str:
    return _("turn {turn}, step {step}").format(turn=number(common.turn), step=number(common.step))


def about(money: Decimal | None) -> str:
    """Write an amount, marked as an estimate; a dash if it is unknown."""
    return dollars(money) if money is None else f"\N{ALMOST EQUAL TO} {dollars(money)}"

"""What a turn cost, as the first screen says it."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from history.core.money.cost import dollars
from history.core.wording import number
from history.services.explain.cost.costs import Spending

INPUT = ("fresh", "cache_read", "cache_write")


def turn_cost(reply: Spending, priced_as: str = "", requests: int = 1) -> str:
    """Say it; empty as long as nobody knows what the answer took. Of several requests say how many
    tokens they sent, which the window's figures of one request don't. `priced_as`: see `CostZone`.
    """
    if reply.shares["output"].tokens is None and reply.total is None:
        return ""
    if requests == 1 or reply.shares["fresh"].tokens is None:
        return _of_one(reply, priced_as)
    return ngettext(
        "{count} request of this turn: {tokens} tokens sent, {price}.",
        "{count} requests of this turn: {tokens} tokens sent, {price}.",
        requests,
    ).format(count=number(requests), tokens=number(_sent(reply)), price=_price(reply, priced_as))


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
        return _("free ({money} at example prices)").format(money=money)
    return money if reply.total else _("free")


def _sent(reply: Spending) -> int:
    return sum(reply.shares[kind].tokens or 0 for kind in INPUT)

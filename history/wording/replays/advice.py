"""One sentence on what other settings would have saved, made from the facts of a replay."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from history.core.money.cost import dollars
from history.core.settings.spec import gettext_noop
from history.core.words.wording import number
from history.wording.names import turn_count

Facts = Mapping[str, Any]
ALL_KEPT = {
    "tool_results_keep": gettext_noop("Keeping every tool result"),
    "images_keep": gettext_noop("Keeping every image"),
    "files_keep": gettext_noop("Keeping every file"),
}
IN_STEPS = {
    "length_stride": gettext_noop("Moving the window in steps of {step}"),
    "results_stride": gettext_noop("Leaving out tool results in steps of {step}"),
    "images_stride": gettext_noop("Leaving out images in steps of {step}"),
    "files_stride": gettext_noop("Leaving out files in steps of {step}"),
}


def change_of(changes: Mapping[str, Any]) -> str:
    """Say what the change is: `Moving the window in steps of 10`."""
    if "token_budget" in changes:
        text = _("A budget of {budget} tokens that moves in steps")
        return text.format(budget=number(changes["token_budget"]))
    name, value = next(iter(changes.items()))
    if name == "prefix":
        return _("Keeping the prefix stable")
    if len(changes) > 1:
        several = _("Moving all that is left out in steps of {step}")
        return several.format(step=number(value)) if value else _("Keeping everything in full")
    return _(IN_STEPS[name]).format(step=number(value)) if value else _(ALL_KEPT[name])


def sentence_of(facts: Facts, variant: Facts) -> str:
    """Say what a variant would have cost, compared with the present settings."""
    first, last = facts["turns"]
    over = _("the last {turns}").format(turns=turn_count(last - first + 1))
    return _sentence(over, facts, variant)


def sentence_of_agent(chats: int, turns: int, facts: Facts, variant: Facts) -> str:
    """Say what a variant would have cost over an agent's newest chats."""
    over = ngettext(
        "{turns} of the newest chat", "{turns} of the newest {chats} chats", chats
    ).format(turns=turn_count(turns), chats=number(chats))
    return _sentence(over, facts, variant)


def example_of(facts: Facts) -> str:
    """Say which model's prices the amounts use; empty unless the model that answers is free."""
    if not (model := _priced_as(facts)):
        return ""
    text = _("The demo model is free. These amounts are an example, at the prices of {model}.")
    return text.format(model=model)


def details_of(facts: Facts, variant: Facts) -> list[str]:
    """Say how the share read from the cache would have changed, and what the model sees in the
    requests that lack something under the present settings: only these are counted.
    """
    was = facts["as_it_is"]
    read = _("{share}% would have been read from the cache instead of {was}%.")
    return [read.format(share=_share(variant), was=_share(was)), _seen(variant, was)]


def _sentence(over: str, facts: Facts, variant: Facts) -> str:
    text = _(
        "{change} would have cost {money} instead of {was} over {over}, if the provider's cache is "
        "used."
    )
    return text.format(
        change=change_of(variant["changes"]),
        money=_money(variant),
        was=_money(facts["as_it_is"]),
        over=over,
    )


def _priced_as(facts: Facts) -> str:
    """Name the model whose prices are the example, without its provider; empty for older facts."""
    return str(facts.get("priced_as", "")).rpartition("/")[2]


def _money(figures: Facts) -> str:
    return dollars(None if figures["money"] is None else Decimal(figures["money"]))


def _share(figures: Facts) -> int:
    return round(100 * figures["cache_read"] / figures["sent"]) if figures["sent"] else 0


def _seen(now: Facts, was: Facts) -> str:
    """Compare what the model sees: in turns or, if these are equal, in messages sent in full."""
    seen, before = now["recency"], was["recency"]
    if not (seen and before) or seen == before:
        return _("The model would have seen the same.")
    if seen["turns"] != before["turns"]:
        what, figure = _("{seen} turns instead of {before}"), "turns"
    else:
        what, figure = _("{seen} messages in full instead of {before}"), "messages"
    text = _("Where something was left out or shortened, the model would have seen {what}.")
    return text.format(what=what.format(seen=_range(seen[figure]), before=_range(before[figure])))


def _range(spread: Facts) -> str:
    if spread["least"] == spread["most"]:
        return number(spread["most"])
    least, most = number(spread["least"]), number(spread["most"])
    return _("{least} to {most}").format(least=least, most=most)

"""Advice for an agent, summed up from the advice for its newest chats."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from agents.choice import own_model
from agents.models import AgentTemplate, SiteDefaults
from agents.snapshot import processors_by_level
from history.core.money.cost import plain
from history.core.replay.advice import WORTH
from history.core.words.errors import SettingError
from history.models import Advice, Conversation
from history.services.access import Actor
from history.services.settings.layers import resolve_settings
from history.services.whatif.advising import basis_of, facts_of
from history.services.whatif.trying import present
from history.wording.replays.advice import details_of, example_of, sentence_of_agent

CHATS = 20  # How many of the agent's newest chats are looked through.
COMPUTED = 5  # How many chats a command replays itself.
Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AgentAdvice:
    """Advice summed up. `facts` and `variant` are as in a chat's advice, over chats and turns."""

    chats: int
    turns: int
    facts: Facts
    variant: Facts


def agent_advice(template: AgentTemplate) -> AgentAdvice | None:
    """Sum up the stored advice of the chats to which exactly the agent's present settings apply.

    Return None also if the agent cannot answer because a stored setting no longer exists.
    """
    try:
        basis = _basis(template)
    except SettingError:
        return None
    branches = _chats(template).values_list("branch", flat=True)[:CHATS]
    rows = Advice.objects.filter(branch__in=list(branches), basis=basis).order_by("pk")
    return summed(list({row.branch_id: row.facts for row in rows}.values()))


def computed_advice(template: AgentTemplate) -> AgentAdvice | None:
    """Replay a few chats now, without storing anything."""
    return summed(list(_computed(template, _basis(template))))


def agent_sentences(advice: AgentAdvice) -> Iterator[str]:
    """Yield sentences on what is advised, what else would differ, and whose prices count."""
    yield sentence_of_agent(advice.chats, advice.turns, advice.facts, advice.variant)
    yield from details_of(advice.facts, advice.variant)
    if example := example_of(advice.facts):
        yield example


def summed(chats: Sequence[Facts]) -> AgentAdvice | None:
    """Return the cheapest variant that is worth its change over all chats; None if none is."""
    if not chats:
        return None
    was = _sum([facts["as_it_is"] for facts in chats])
    variants: dict[str, list[Facts]] = {}
    for facts in chats:
        for variant in facts["variants"]:
            variants.setdefault(json.dumps(variant["changes"]), []).append(variant)
    sums = [_sum(each) for each in variants.values() if len(each) == len(chats)]
    worth = [now for now in sums if _is_worth_it(now, was)]
    if not worth:
        return None
    turns = sum(last - first + 1 for first, last in (facts["turns"] for facts in chats))
    best = min(worth, key=lambda now: Decimal(now["money"]))
    facts = {"as_it_is": was, "priced_as": chats[0].get("priced_as", "")}
    return AgentAdvice(len(chats), turns, facts, best)


def _basis(template: AgentTemplate) -> str:
    site = SiteDefaults.objects.first() or SiteDefaults()
    settings = resolve_settings(template, Actor(), "", None, site)
    processors = processors_by_level(template, None, site)
    return basis_of(settings, own_model(template), processors)


def _chats(template: AgentTemplate) -> Any:
    rows = Conversation.objects.filter(agent=template, network=None, asked_by=None)
    return rows.exclude(branch=None).order_by("-active")


def _computed(template: AgentTemplate, basis: str) -> Iterator[Facts]:
    for conversation in _chats(template).select_related("agent", "branch", "owner")[:COMPUTED]:
        turn = present(conversation).turn
        own = basis_of(turn.settings, turn.agent.model, turn.processors)
        if own == basis and (facts := facts_of(turn)):
            yield facts


def _sum(figures: Sequence[Facts]) -> dict[str, Any]:
    money = [f["money"] for f in figures]
    seen = [f["recency"] for f in figures if f["recency"]]
    return {
        "changes": figures[0].get("changes", {}),
        "money": None if None in money else plain(sum(map(Decimal, money), Decimal(0))),
        "sent": sum(f["sent"] for f in figures),
        "cache_read": sum(f["cache_read"] for f in figures),
        "less": sum(f.get("less", 0) for f in figures),
        "recency": {name: _spread([s[name] for s in seen]) for name in seen[0]} if seen else None,
    }


def _spread(spreads: Sequence[Facts]) -> dict[str, Any]:
    mean = sum(s["mean"] for s in spreads) / len(spreads)
    least, most = min(s["least"] for s in spreads), max(s["most"] for s in spreads)
    return {"least": least, "mean": round(mean, 1), "most": most}


def _is_worth_it(now: Facts, was: Facts) -> bool:
    if now["less"] or now["money"] is None or was["money"] is None:
        return False
    saved = Decimal(was["money"]) - Decimal(now["money"])
    return saved > 0 and saved >= WORTH * Decimal(was["money"])

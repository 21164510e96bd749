"""Find out in the background whether other settings would have been cheaper, and store the facts.

No model is called. Every so many turns, the newest turns are replayed under a few variants. If the
free demo model answers, the prices are those of another model, which the facts name.
"""

import hashlib
import json
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from django.db import transaction

from agents.catalogue import catalogue
from history.core.money.cost import CURRENCY
from history.core.replay.advice import Changes, are_known, comparison, prices_record, variants
from history.core.replay.replay import Replay
from history.core.settings.resolved import Settings
from history.models import Advice, Branch, Conversation, Generation
from history.services.planning.projecting import PlanInput
from history.services.summaries.due import hold
from history.services.whatif.replaying import TURNS, Bounds, Check, replayed_as, unhurried
from history.services.whatif.trying import AS_IT_IS, Variant, present, varied

EVERY = 20  # Turns between two comparisons; a conversation has at least so many before the first.
LONGEST = 6_000  # The most messages that one variant reads.


def is_due(generation: Generation) -> bool:
    """Whether advice is due: enough turns have passed since the last one, or its basis has changed.

    Conversations of several agents get no advice: a replay is of one agent's requests.
    """
    chat, branch = generation.conversation, generation.branch
    if generation.turn < EVERY or chat.network_id or chat.asked_by_id:
        return False
    part = generation.snapshot_at()
    settings, agent = part.settings, part.agent
    if not _asked(settings, agent.model):
        return False
    basis = basis_of(settings, agent.model, agent.processors)
    newest = next((advice for advice in recent(branch) if advice.basis == basis), None)
    return newest is None or newest.turn + EVERY <= generation.turn


def newest_of(branch: Branch | None) -> Advice | None:
    return Advice.objects.filter(branch=branch).order_by("-pk").first() if branch else None


def recent(branch: Branch | None) -> list[Advice]:
    """Return the newest advice and what was found within as many turns before it, newest first:
    such advice is true again once the settings are again what they were.
    """
    if (newest := newest_of(branch)) is None:
        return []
    since = newest.turn - EVERY
    return list(Advice.objects.filter(branch=branch, turn__gt=since).order_by("-pk"))


def advise(conversation: Conversation, check: Check = unhurried) -> Advice | None:
    """Compare what the variants cost, and store the facts. Return None if there is nothing to
    compare, or if the conversation was deleted.

    An exception that `check` raises ends the comparison.
    """
    started, turn = perf_counter(), present(conversation).turn
    facts = facts_of(turn, check)
    if facts is None:
        return None
    row = Advice(
        conversation=conversation,
        branch=turn.branch,
        turn=turn.number,
        basis=basis_of(turn.settings, turn.agent.model, turn.processors),
        facts=facts,
        milliseconds=round((perf_counter() - started) * 1000, 1),
    )
    with transaction.atomic():
        if not hold(conversation.pk):
            return None
        row.save()
    return row


def facts_of(turn: PlanInput, check: Check = unhurried) -> dict[str, Any] | None:
    """Replay the newest turns under the present settings, and under each variant. Return None if a
    comparison is impossible: no variant applies, a price is unknown, or there is too much to read.
    """
    model = turn.agent.model
    trials = _asked(turn.settings, model)
    as_it_is = _replay(turn, {}, check) if trials else None
    if as_it_is is None or not as_it_is.steps:
        return None
    others = [(changes, replay) for changes in trials if (replay := _replay(turn, changes, check))]
    models, billed = catalogue(), _billed(model)
    return {
        "model": model,
        "priced_as": models.priced_as(model),
        "currency": CURRENCY,
        "turns": [as_it_is.steps[0].step.turn, as_it_is.steps[-1].step.turn],
        "settings": values_of(turn.settings),
        "processors": dict(turn.processors),
        "breakpoints": models.wants_cache_breakpoints(billed),
        **comparison(as_it_is, others, models.prices(billed)),
    }


def basis_of(settings: Settings, model: str, processors: Mapping[str, Any]) -> str:
    """Hash everything that the figures depend on besides the transcript."""
    models, billed = catalogue(), _billed(model)
    basis = {
        "settings": values_of(settings),
        "model": model,
        "processors": {level: chain for level, chain in processors.items() if chain},
        "prices": prices_record(models.prices(billed)),
        "breakpoints": models.wants_cache_breakpoints(billed),
    }
    return hashlib.sha256(json.dumps(basis, sort_keys=True).encode()).hexdigest()


def values_of(settings: Settings) -> dict[str, Any]:
    return {name: settings.value(name) for name in settings}


def _asked(settings: Settings, model: str) -> tuple[Changes, ...]:
    """Return the changes to replay; none if a price is unknown, as nothing can be promised then."""
    prices = catalogue().prices(_billed(model))
    return variants(settings) if are_known(prices) and prices.input else ()


def _billed(model: str) -> str:
    """Return the model whose prices and cache rules apply."""
    return catalogue().priced_as(model) or model


def _replay(turn: PlanInput, changes: Changes, check: Check) -> Replay | None:
    variant = Variant("advice", changes) if changes else AS_IT_IS
    billed = _billed(turn.agent.model)
    return replayed_as(variant, varied(turn, variant), Bounds(TURNS, LONGEST, check), billed).replay

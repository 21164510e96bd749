"""Decide which layer supplies each setting, and what becomes of every other candidate.

Strength: environment, URL, conversation, template, site, built-in. If the environment sets the
policy or the length, neither the URL nor the conversation supplies either: locking the policy alone
must not leave the length open. If it sets the length, only its own stride applies.
"""

from collections.abc import Sequence
from dataclasses import replace

from history.core.errors import SettingError
from history.core.facts import Fact, Rule, fact
from history.core.settings.caps import NO_CAPS, Caps, capped
from history.core.settings.layers import (
    Layer,
    known,
    may_not_set,
    parse,
)
from history.core.settings.resolved import (
    Candidate,
    CandidateOutcome,
    Resolved,
    Settings,
    default,
    outranked,
)
from history.core.settings.spec import LayerName, SettingSpec
from history.core.settings.table import SETTINGS

LOCKED_TOGETHER = frozenset({"policy", "length"})
LOCKED_LAYERS = frozenset({LayerName.URL, LayerName.CONVERSATION})


def resolve(layers: Sequence[Layer], caps: Caps = NO_CAPS) -> Settings:
    """Resolve `layers`, in any order. Raise `SettingError` for a name that does not exist."""
    ranked = sorted(layers, key=lambda layer: layer.name.rank)
    for layer in ranked:
        for setting in layer.values:
            known(setting, layer.name)
    enforced = _set_by_environment(ranked)
    resolved = {spec.name: _resolve(spec, ranked, enforced) for spec in SETTINGS}
    return Settings(capped(resolved, caps))


def _set_by_environment(layers: Sequence[Layer]) -> frozenset[str]:
    return frozenset(
        setting
        for layer in layers
        if layer.name is LayerName.ENVIRONMENT
        for setting in layer.values
        if layer.sets(setting)
    )


def _resolve(spec: SettingSpec, layers: Sequence[Layer], enforced: frozenset[str]) -> Resolved:
    given = [_candidate(spec, layer, enforced) for layer in layers if layer.sets(spec.name)]
    if not any(c.layer is LayerName.BUILT_IN and c.value is not None for c in given):
        given.append(default(spec))
    winner = next(c for c in given if c.outcome is CandidateOutcome.WINNER)
    candidates = tuple(c if c is winner else outranked(c, winner) for c in given)
    return Resolved(spec.name, candidates, _is_locked(spec, enforced))


def _is_locked(spec: SettingSpec, enforced: frozenset[str]) -> bool:
    """Whether the environment's lock keeps weaker layers from supplying this setting."""
    together = spec.name in LOCKED_TOGETHER and bool(enforced & LOCKED_TOGETHER)
    return together or spec.name in enforced


def _candidate(spec: SettingSpec, layer: Layer, enforced: frozenset[str]) -> Candidate:
    """Judge one layer's value on its own; `outranked` then leaves one winner."""
    raw = layer.values[spec.name]
    shown = " and ".join(map(str, raw)) if isinstance(raw, tuple) else raw
    loser = Candidate(
        layer.name, layer.source_of(spec.name), shown, value=None, outcome=CandidateOutcome.REFUSED
    )
    if layer.refused:
        return replace(loser, reason=fact(Rule.LAYER_REFUSED, why=layer.refused))
    if not spec.allows(layer.name):
        return replace(loser, reason=may_not_set(spec, layer.name))
    try:
        value = parse(spec, layer.name, raw)
    except SettingError as error:
        return replace(loser, outcome=CandidateOutcome.INVALID, reason=error.fact)
    outcome, reason = _standing(spec, layer.name, enforced)
    return replace(loser, value=value, outcome=outcome, reason=reason)


def _standing(
    spec: SettingSpec, layer: LayerName, enforced: frozenset[str]
) -> tuple[CandidateOutcome, Fact | None]:
    """Decide what the environment leaves of another layer's valid value."""
    if _is_locked(spec, enforced) and layer in LOCKED_LAYERS:
        return CandidateOutcome.LOCKED, fact(Rule.LOCKED)
    if spec.name == "length_stride" and "length" in enforced and layer is not LayerName.ENVIRONMENT:
        return CandidateOutcome.REFUSED, fact(Rule.OWN_STRIDE)
    return CandidateOutcome.WINNER, None

"""Which layer supplies each setting, and what became of every other candidate.

Strength: environment, URL, conversation, template, site, built-in. If the environment sets the
policy or the length, neither the URL nor the conversation supplies either: locking the policy alone
must not leave the length open.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from history.core.kinds import Value
from history.core.layers import (
    Layer,
    environment_layer,
    known,
    parse,
    stored_layer,
    url_layer,
    validate,
)
from history.core.settings import (
    SETTINGS,
    LayerName,
    SettingError,
    SettingErrors,
    SettingSpec,
)

__all__ = [
    "Candidate",
    "Layer",
    "LayerName",
    "Outcome",
    "Resolved",
    "SettingError",
    "SettingErrors",
    "Settings",
    "environment_layer",
    "resolve",
    "stored_layer",
    "url_layer",
    "validate",
]

LOCKED_TOGETHER = frozenset({"policy", "length"})
LOCKED_LAYERS = frozenset({LayerName.URL, LayerName.CONVERSATION})


class Outcome(StrEnum):
    WINNER = "winner"
    OUTRANKED = "outranked"
    LOCKED = "locked"
    REFUSED = "refused"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One layer's value for one setting. `value` is None where `raw` could not be read."""

    layer: LayerName
    source: str
    raw: object
    value: Value | None
    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resolved:
    """One setting: every candidate, strongest layer first; exactly one of them is the winner.

    `locked`: the environment decides, so that neither URL nor conversation can.
    """

    name: str
    candidates: tuple[Candidate, ...]
    locked: bool

    @property
    def winner(self) -> Candidate:
        return next(c for c in self.candidates if c.outcome is Outcome.WINNER)

    @property
    def value(self) -> Any:
        """As its kind in the settings table says: text, whole number or boolean."""
        return self.winner.value


@dataclass(frozen=True, slots=True)
class Settings(Mapping[str, Resolved]):
    """All settings by name. Goes to JSON and back unchanged, for snapshots and plans."""

    resolved: Mapping[str, Resolved]

    def __getitem__(self, name: str) -> Resolved:
        return self.resolved[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.resolved)

    def __len__(self) -> int:
        return len(self.resolved)

    def value(self, name: str) -> Any:
        return self.resolved[name].value

    @property
    def invalid(self) -> tuple[tuple[str, Candidate], ...]:
        """What was given and could not be read: the page says so."""
        return tuple(
            (name, candidate)
            for name, setting in self.resolved.items()
            for candidate in setting.candidates
            if candidate.outcome is Outcome.INVALID
        )

    def as_dict(self) -> dict[str, Any]:
        return {
            name: {"locked": setting.locked, "candidates": [asdict(c) for c in setting.candidates]}
            for name, setting in self.resolved.items()
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Settings":
        return cls({name: _resolved_from(name, setting) for name, setting in data.items()})


def resolve(layers: Sequence[Layer]) -> Settings:
    """Order of `layers` does not matter. Raises `SettingError` for a name that does not exist."""
    ranked = sorted(layers, key=lambda layer: layer.name.rank)
    for layer in ranked:
        for setting in layer.values:
            known(setting, layer.name)
    enforced = _set_by_environment(ranked)
    return Settings({spec.name: _resolve(spec, ranked, enforced) for spec in SETTINGS})


def _set_by_environment(layers: Sequence[Layer]) -> frozenset[str]:
    """The settings that only the environment may supply, or nobody above the template."""
    names = {
        spec.name
        for spec in SETTINGS
        for layer in layers
        if layer.name is LayerName.ENVIRONMENT and layer.sets(spec.name)
    }
    return frozenset(names | (LOCKED_TOGETHER if names & LOCKED_TOGETHER else set()))


def _resolve(spec: SettingSpec, layers: Sequence[Layer], enforced: frozenset[str]) -> Resolved:
    locked = spec.name in enforced
    given = [_candidate(spec, layer, locked=locked) for layer in layers if layer.sets(spec.name)]
    if not any(c.layer is LayerName.BUILT_IN and c.value is not None for c in given):
        given.append(_default(spec))
    winner = next(c for c in given if c.outcome is Outcome.WINNER)
    return Resolved(spec.name, tuple(_outranked(c, winner) for c in given), locked)


def _candidate(spec: SettingSpec, layer: Layer, *, locked: bool) -> Candidate:
    """As if it were alone: `_outranked` then leaves one winner."""
    raw = layer.values[spec.name]
    shown = " and ".join(map(str, raw)) if isinstance(raw, tuple) else raw
    loser = Candidate(
        layer.name, layer.source_of(spec.name), shown, value=None, outcome=Outcome.REFUSED
    )
    if layer.refused:
        return replace(loser, reason=f"ignored: {layer.refused}")
    if not spec.allows(layer.name):
        return replace(loser, reason=f"ignored: {layer.name} may not set {spec.name}")
    try:
        value = parse(spec, layer.name, raw)
    except SettingError as error:
        return replace(loser, outcome=Outcome.INVALID, reason=str(error))
    if locked and layer.name in LOCKED_LAYERS:
        reason = "ignored: locked by environment"
        return replace(loser, value=value, outcome=Outcome.LOCKED, reason=reason)
    return replace(loser, value=value, outcome=Outcome.WINNER)


def _default(spec: SettingSpec) -> Candidate:
    return Candidate(
        LayerName.BUILT_IN, spec.default_source, spec.default, spec.default, Outcome.WINNER
    )


def _outranked(candidate: Candidate, winner: Candidate) -> Candidate:
    if candidate is winner or candidate.outcome is not Outcome.WINNER:
        return candidate
    reason = "same value, lower rank" if candidate.value == winner.value else "lower rank"
    return replace(candidate, outcome=Outcome.OUTRANKED, reason=reason)


def _resolved_from(name: str, data: Mapping[str, Any]) -> Resolved:
    return Resolved(name, tuple(map(_candidate_from, data["candidates"])), data["locked"])


def _candidate_from(data: Mapping[str, Any]) -> Candidate:
    layer, outcome = LayerName(data["layer"]), Outcome(data["outcome"])
    return Candidate(**{**data, "layer": layer, "outcome": outcome})

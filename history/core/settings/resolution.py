"""Decide which layer supplies each setting, and what becomes of every other candidate.

Strength: environment, what-if, URL, conversation, template, site, built-in. If the environment sets
the policy or the length, then what-if, URL and conversation can supply neither: locking only the
policy must not leave the length open. With a length from the environment, only a stride from the
environment applies; with a length from one of these three layers, no weaker layer's stride applies.
Values of other layers beyond the environment's caps are lowered (`caps`). With a stable prefix,
strides that nobody has set follow from the lengths (`steps`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from history.core.settings.caps import NO_CAPS, Caps, capped, is_open
from history.core.settings.layers import Layer, find_setting, may_not_set, parse, unfit_for
from history.core.settings.resolved import (
    APPLICABLE,
    Candidate,
    CandidateOutcome,
    ResolvedSetting,
    Settings,
    default,
)
from history.core.settings.spec import STRIDE, LayerName, SettingSpec, Value
from history.core.settings.steps import decide_steps, follows, in_steps, without_steps
from history.core.settings.table import BY_NAME, SETTINGS
from history.core.words.errors import SettingError, SettingErrors, Unfit
from history.core.words.facts import Fact, Rule, fact
from history.core.words.wording import printable

LOCKED_TOGETHER = frozenset({"policy", "length"})
OF_LENGTH = frozenset({"policy", "length", "max_items"})
LOCKED_LAYERS = frozenset({LayerName.WHAT_IF, LayerName.URL, LayerName.CONVERSATION})


def resolve(layers: Sequence[Layer], caps: Caps = NO_CAPS) -> Settings:
    """Resolve the settings of `layers`, in any order. Raise `SettingError` for an unknown name."""
    ranked = sorted(layers, key=lambda layer: list(LayerName).index(layer.name))
    for layer in ranked:
        for setting in layer.values:
            find_setting(setting, layer.name)
    enforced = _set_by_environment(ranked)
    resolved = {spec.name: _resolve(spec, ranked, enforced) for spec in SETTINGS}
    if _has_length_of_its_own(resolved):
        resolved[STRIDE] = _of_other_length(resolved[STRIDE])
    return Settings(in_steps(capped(resolved, caps), caps))


def overridden(
    settings: Settings, values: Mapping[str, object], source: str, caps: Caps = NO_CAPS
) -> Settings:
    """Put these values above every layer and cap, and keep everything else, except steps that
    follow from these values. Such steps stay within `caps`.

    They count as the conversation's own, or as the environment's if the environment decides. A text
    is read as in the environment, any other value as JSON; None means that no layer has set the
    value. A length among the values is exact, like one set in the chat, unless they include a
    stride. Raise `SettingErrors` naming each bad value.
    """
    moves = decide_steps(values)
    settings = Settings(without_steps(settings)) if moves else settings
    changes: dict[str, ResolvedSetting] = {}
    errors: dict[str, Fact] = {}
    for name, raw in values.items():
        try:
            if name not in BY_NAME:
                raise SettingError(
                    fact(Rule.NO_SUCH_NAME, name=printable(name), known=list(BY_NAME))
                )
            changes[name] = _with(settings[name], _replacement(settings[name], raw, source))
        except SettingError as error:
            errors[name] = error.fact
    if errors:
        raise SettingErrors(errors)
    exact = _exact({**settings.resolved, **changes}, changes)
    return Settings(in_steps(exact, caps) if moves else exact)


def settings_of(**values: Value | None) -> Settings:
    """Return these values, and the built-in values of all other settings. Raise `SettingErrors`
    naming each bad value.
    """
    return overridden(resolve(()), values, "given")


def for_model(settings: Settings, built_in: Layer, caps: Caps = NO_CAPS) -> Settings:
    """Use another model's built-in values for settings that nobody has set. Steps that follow from
    them stay within `caps`.
    """
    plain = without_steps(settings)
    changes = {name: _with_built_in(setting, built_in) for name, setting in plain.items()}
    moves = any(map(follows, settings.values()))  # Records of older versions may have no steps.
    moves = moves or changes["prefix"].value != settings.value("prefix")
    return Settings(in_steps(changes, caps) if moves else changes)


def locked_by(settings: Mapping[str, ResolvedSetting], name: str) -> ResolvedSetting | None:
    """Return the setting by which the environment locks this one against address and conversation:
    the setting itself, or the other of the two that are locked together. None if it is not locked.
    """
    if not settings[name].locked:
        return None
    together = [name, *sorted(LOCKED_TOGETHER)]
    return next((settings[each] for each in together if not is_open(settings[each])), None)


def _set_by_environment(layers: Sequence[Layer]) -> frozenset[str]:
    return frozenset(
        setting
        for layer in layers
        if layer.name is LayerName.ENVIRONMENT
        for setting in layer.values
        if layer.sets(setting)
    )


def _resolve(
    spec: SettingSpec, layers: Sequence[Layer], enforced: frozenset[str]
) -> ResolvedSetting:
    candidates = [_candidate(spec, layer, enforced) for layer in layers if layer.sets(spec.name)]
    if not any(c.layer is LayerName.BUILT_IN and c.value is not None for c in candidates):
        candidates.append(default(spec))
    winner = next(c for c in candidates if c.outcome is CandidateOutcome.WINNER)
    ranking = tuple(c if c is winner else _outranked(c, winner) for c in candidates)
    return ResolvedSetting(spec.name, ranking, _is_locked(spec, enforced))


def _is_locked(spec: SettingSpec, enforced: frozenset[str]) -> bool:
    """Whether the environment's lock keeps weaker layers from supplying this setting."""
    together = spec.name in LOCKED_TOGETHER and bool(enforced & LOCKED_TOGETHER)
    return together or spec.name in enforced


def _candidate(spec: SettingSpec, layer: Layer, enforced: frozenset[str]) -> Candidate:
    """Judge a layer's value by itself; later `_outranked` leaves one winner."""
    raw = layer.values[spec.name]
    loser = Candidate(
        layer.name,
        layer.source_of(spec.name),
        " and ".join(map(str, raw)) if isinstance(raw, tuple) else raw,
        value=None,
        outcome=CandidateOutcome.REFUSED,
        variable=layer.variables.get(spec.name, ""),
    )
    if why := layer.refused:
        return replace(loser, reason=fact(Rule.LAYER_REFUSED, variable=why.variable, who=why.who))
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
    """Decide whether the environment lets a layer's valid value apply."""
    if _is_locked(spec, enforced) and layer in LOCKED_LAYERS:
        return CandidateOutcome.LOCKED, fact(Rule.LOCKED)
    if spec.name == STRIDE and "length" in enforced and layer is not LayerName.ENVIRONMENT:
        return CandidateOutcome.REFUSED, fact(Rule.OWN_STRIDE)
    return CandidateOutcome.WINNER, None


def _has_length_of_its_own(resolved: Mapping[str, ResolvedSetting]) -> bool:
    """Whether the what-if, URL or conversation sets how many turns or messages are kept."""
    if resolved["policy"].value == "lastN" and resolved["length"].winner.layer in LOCKED_LAYERS:
        return True
    return resolved["max_items"].winner.layer in LOCKED_LAYERS


def _exact(
    resolved: dict[str, ResolvedSetting], changes: Mapping[str, ResolvedSetting]
) -> dict[str, ResolvedSetting]:
    """Drop the stride of other layers if these values name a length without a stride."""
    is_exact = STRIDE not in changes and changes.keys() & OF_LENGTH
    if is_exact and _has_length_of_its_own(resolved):
        return {**resolved, STRIDE: _of_other_length(resolved[STRIDE])}
    return resolved


def _of_other_length(stride: ResolvedSetting) -> ResolvedSetting:
    """Refuse strides of the template and the site, which chose them for other lengths."""
    if stride.winner.layer in {LayerName.ENVIRONMENT, LayerName.WHAT_IF}:
        return stride
    return stride.refused(fact(Rule.OTHER_LENGTH))


def _outranked(candidate: Candidate, winner: Candidate) -> Candidate:
    """Mark a candidate as outranked, unless it was locked, refused or invalid."""
    if candidate.outcome not in APPLICABLE:
        return candidate
    rule = Rule.SAME_VALUE if candidate.value == winner.value else Rule.LOWER_RANK
    return replace(candidate, outcome=CandidateOutcome.OUTRANKED, reason=fact(rule))


def _replacement(setting: ResolvedSetting, raw: object, source: str) -> Candidate:
    value = setting.candidates[-1].value if raw is None else _read(BY_NAME[setting.name], raw)
    decided = setting.winner.layer is LayerName.ENVIRONMENT
    layer = LayerName.ENVIRONMENT if decided else LayerName.CONVERSATION
    return Candidate(layer, source, raw, value, CandidateOutcome.WINNER)


def _read(spec: SettingSpec, raw: object) -> Value:
    try:
        return spec.kind.from_text(raw) if isinstance(raw, str) else spec.kind.from_json(raw)
    except Unfit as unfit:
        raise unfit_for(spec.name, raw, unfit) from unfit


def _with(setting: ResolvedSetting, winner: Candidate) -> ResolvedSetting:
    others = tuple(_outranked(candidate, winner) for candidate in setting.candidates)
    return ResolvedSetting(setting.name, (winner, *others), locked=False)


def _with_built_in(setting: ResolvedSetting, layer: Layer) -> ResolvedSetting:
    *others, was = setting.candidates
    if was.layer is not LayerName.BUILT_IN or setting.name not in BY_NAME:
        return setting
    now = default(BY_NAME[setting.name])
    if (raw := layer.values.get(setting.name)) is not None:
        value = BY_NAME[setting.name].kind.from_json(raw)
        now = replace(now, source=layer.source, raw=raw, value=value)
    now = replace(now, outcome=was.outcome, reason=was.reason)
    return replace(setting, candidates=(*others, now))

"""Settings with some values replaced: for what-if questions, never for a request."""

from collections.abc import Mapping
from dataclasses import replace

from history.core.errors import SettingError, SettingErrors, Unfit
from history.core.facts import Fact, Rule, fact
from history.core.settings.layers import Layer, unfit_for
from history.core.settings.resolved import (
    Candidate,
    CandidateOutcome,
    Resolved,
    Settings,
    default,
    outranked,
)
from history.core.settings.spec import LayerName, SettingSpec, Value
from history.core.settings.table import BY_NAME
from history.core.wording import printable


def overridden(settings: Settings, values: Mapping[str, object], source: str) -> Settings:
    """Put these values above every layer and cap, and keep everything else.

    They count as the conversation's own, or as the environment's if the environment decides. Text
    is read as in the environment, anything else as JSON; None is as if no layer had set it. Raise
    `SettingErrors` naming each bad one.
    """
    named: dict[str, Resolved] = {}
    errors: dict[str, Fact] = {}
    for name, raw in values.items():
        try:
            if name not in BY_NAME:
                raise SettingError(
                    fact(Rule.NO_SUCH_NAME, name=printable(name), known=list(BY_NAME))
                )
            named[name] = _with(settings[name], _candidate(settings[name], raw, source))
        except SettingError as error:
            errors[name] = error.fact
    if errors:
        raise SettingErrors(errors)
    return Settings({**settings.resolved, **named})


def for_model(settings: Settings, built_in: Layer) -> Settings:
    """Use another model's built-in values for settings that nobody has set."""
    named = {name: _with_built_in(setting, built_in) for name, setting in settings.items()}
    return Settings({**settings.resolved, **named})


def _candidate(setting: Resolved, raw: object, source: str) -> Candidate:
    value = setting.candidates[-1].value if raw is None else _read(BY_NAME[setting.name], raw)
    decided = setting.winner.layer is LayerName.ENVIRONMENT
    layer = LayerName.ENVIRONMENT if decided else LayerName.CONVERSATION
    return Candidate(layer, source, raw, value, CandidateOutcome.WINNER)


def _read(spec: SettingSpec, raw: object) -> Value:
    try:
        return spec.kind.from_text(raw) if isinstance(raw, str) else spec.kind.from_json(raw)
    except Unfit as unfit:
        raise unfit_for(spec.name, raw, unfit) from unfit


def _with(setting: Resolved, winner: Candidate) -> Resolved:
    others = tuple(outranked(candidate, winner) for candidate in setting.candidates)
    return Resolved(setting.name, (winner, *others), locked=False)


def _with_built_in(setting: Resolved, layer: Layer) -> Resolved:
    *others, was = setting.candidates
    if was.layer is not LayerName.BUILT_IN or setting.name not in BY_NAME:
        return setting
    now = default(BY_NAME[setting.name])
    if (raw := layer.values.get(setting.name)) is not None:
        value = BY_NAME[setting.name].kind.from_json(raw)
        now = replace(now, source=layer.source, raw=raw, value=value)
    now = replace(now, outcome=was.outcome, reason=was.reason)
    return replace(setting, candidates=(*others, now))

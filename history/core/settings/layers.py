"""A layer's raw values: from the environment, an address, or a stored row."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from history.core.settings.spec import LayerName, SettingSpec, Value
from history.core.settings.table import BY_NAME, SETTINGS
from history.core.words.errors import SettingError, SettingErrors, Unfit
from history.core.words.facts import Fact, Rule, fact
from history.core.words.wording import printable

TEXT_LAYERS = frozenset({LayerName.ENVIRONMENT, LayerName.URL})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a layer does not apply now: an environment variable, and whom it admits."""

    variable: str
    who: str


@dataclass(frozen=True, slots=True)
class Layer:
    """Raw values by setting: text from environment and URL, JSON values from storage.

    A tuple is a parameter given more than once; None is unset. `refused` says why the whole layer
    does not apply now; `sources` holds a more exact source for single settings, and `variables` the
    environment variable of each.
    """

    name: LayerName
    source: str
    values: Mapping[str, object]
    refused: Refusal | None = None
    sources: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)

    def source_of(self, setting: str) -> str:
        return self.sources.get(setting, self.source)

    def sets(self, setting: str) -> bool:
        return self.values.get(setting) is not None


def environment_layer(variables: Mapping[str, str]) -> Layer:
    """Read variables by name; an empty one is unset. Raise `SettingErrors` naming all bad ones."""
    values: dict[str, object] = {}
    names: dict[str, str] = {}
    errors: dict[str, Fact] = {}
    for spec in SETTINGS:
        texts = {name: variables[name] for name in spec.environment if variables.get(name)}
        if fault := _environment_fault(spec, texts):
            errors[spec.name] = fault
        for name, raw in list(texts.items())[:1]:
            values[spec.name], names[spec.name] = raw, name
    if errors:
        raise SettingErrors(errors)
    sources = {setting: f"env {name}" for setting, name in names.items()}
    return Layer(LayerName.ENVIRONMENT, "environment", values, sources=sources, variables=names)


def url_layer(query: str) -> Layer:
    """Read a raw query string. Never raise: invalid values stay, for `resolve` to list."""
    parameters = parse_qs(query.removeprefix("?"), keep_blank_values=True)
    names = {spec.name: spec.url for spec in SETTINGS if spec.url and spec.url in parameters}
    values = {name: _one_or_all(parameters[parameter]) for name, parameter in names.items()}
    sources = {name: f"URL {parameter}" for name, parameter in names.items()}
    return Layer(LayerName.URL, "URL", values, sources=sources)


def validate(name: LayerName, values: object) -> dict[str, Value]:
    """Return the values a form or the API may store in this layer, without None (unset).

    Raise `SettingErrors` with one fact per setting: unknown, not allowed in this layer, or invalid.
    """
    if not isinstance(values, Mapping):
        raise SettingErrors({"": fact(Rule.NO_OBJECT, layer=name)})
    parsed: dict[str, Value] = {}
    errors: dict[str, Fact] = {}
    for setting, raw in values.items():
        try:
            if raw is not None:
                parsed[setting] = parse(find_setting(setting, name), name, raw)
        except SettingError as error:
            errors[setting] = error.fact
    if errors:
        raise SettingErrors(errors)
    return parsed


def find_setting(setting: str, layer: LayerName) -> SettingSpec:
    """Look up a setting. The `SettingError` for an unknown one says what the layer may set."""
    if setting not in BY_NAME:
        names = [spec.name for spec in SETTINGS if spec.allows(layer)]
        raise SettingError(fact(Rule.NO_SETTING, name=printable(setting), layer=layer, known=names))
    return BY_NAME[setting]


def parse(spec: SettingSpec, layer: LayerName, raw: object) -> Value:
    """Read a value. Raise `SettingError` with the layer's name for the setting, the value and the
    rule.
    """
    if not spec.allows(layer):
        raise SettingError(may_not_set(spec, layer))
    spelling = (spec.url or spec.name) if layer is LayerName.URL else spec.name
    return _parse(spec, layer, raw, spelling)


def may_not_set(spec: SettingSpec, layer: LayerName) -> Fact:
    allowed = [str(name) for name in LayerName if name in spec.layers]
    return fact(Rule.MAY_NOT_SET, name=spec.name, layer=layer, allowed=allowed)


def _parse(spec: SettingSpec, layer: LayerName, raw: object, spelling: str) -> Value:
    if isinstance(raw, tuple):
        text = " and ".join(map(str, raw))
        raise SettingError(fact(Rule.REPEATED, name=spelling, value=text, times=len(raw)))
    read = spec.kind.from_text if layer in TEXT_LAYERS else spec.kind.from_json
    try:
        return read(raw)
    except Unfit as unfit:
        raise unfit_for(spelling, raw, unfit) from unfit


def unfit_for(name: str, raw: object, unfit: Unfit) -> SettingError:
    """Return the error for a value, with the setting's name and the value as they were given."""
    return SettingError(unfit.fact.having(name=name, value=printable(str(raw))))


def _environment_fault(spec: SettingSpec, texts: Mapping[str, str]) -> Fact | None:
    try:
        values = {_parse(spec, LayerName.ENVIRONMENT, raw, name) for name, raw in texts.items()}
    except SettingError as error:
        return error.fact
    return fact(Rule.VARIABLES_DIFFER, given=dict(texts)) if len(values) > 1 else None


def _one_or_all(values: list[str]) -> object:
    texts = tuple(map(printable, values))
    return texts[0] if len(texts) == 1 else texts

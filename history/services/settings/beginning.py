"""The settings with which a chat is to begin. Until its first message, its address carries them:
`own.length=5` will become the chat's own setting, whereas `historyLength=5` is the address's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from history.core.settings.layers import find_setting, may_not_set, unfit_for
from history.core.settings.spec import LayerName, Value
from history.core.words.errors import SettingError, SettingErrors, Unfit
from history.core.words.facts import Fact
from history.models import Conversation
from history.services.access import Actor
from history.services.settings.layers import refusal

PREFIX = "own."


@dataclass(frozen=True, slots=True)
class BeginningSettings:
    """What an address carries: values with which a chat may begin, and facts about invalid ones."""

    values: Mapping[str, Value]
    faults: Mapping[str, Fact]

    def checked(self) -> Mapping[str, Value]:
        """Return the values. Raise SettingErrors if one of them can't be set."""
        if self.faults:
            raise SettingErrors(self.faults)
        return self.values


def beginning_settings(query: str) -> BeginningSettings:
    """Read an address. If it gives a setting twice, the last value counts."""
    values: dict[str, Value] = {}
    faults: dict[str, Fact] = {}
    for name, raw in _carried(query).items():
        try:
            values[name] = _read(name, raw)
        except SettingError as error:
            faults[name] = error.fact
    return BeginningSettings(values, faults)


def with_settings(query: str, values: Mapping[str, Any]) -> str:
    """Return the address with these settings, except those that are None, in place of its own."""
    own = {PREFIX + name: _written(value) for name, value in values.items() if value is not None}
    return urlencode([*_others(query), *own.items()])


def without_settings(query: str) -> str:
    return urlencode(_others(query)) if PREFIX in query else query


def to_come(query: str) -> Conversation:
    """Return the chat that would begin at this address, with its settings. It is not stored."""
    return Conversation(history_settings=dict(beginning_settings(query).values))


def begun_with(actor: Actor, query: str) -> dict[str, Value]:
    """Return the settings with which a chat of this actor begins."""
    return {} if refusal(actor) else dict(beginning_settings(query).values)


def _carried(query: str) -> dict[str, str]:
    pairs = parse_qsl(query.removeprefix("?"), keep_blank_values=True)
    return {name.removeprefix(PREFIX): raw for name, raw in pairs if name.startswith(PREFIX)}


def _others(query: str) -> list[tuple[str, str]]:
    pairs = parse_qsl(query.removeprefix("?"), keep_blank_values=True)
    return [(name, raw) for name, raw in pairs if not name.startswith(PREFIX)]


def _read(name: str, raw: str) -> Value:
    spec = find_setting(name, LayerName.CONVERSATION)
    if not spec.allows(LayerName.CONVERSATION):
        raise SettingError(may_not_set(spec, LayerName.CONVERSATION))
    try:
        return spec.kind.from_text(raw)
    except Unfit as unfit:
        raise unfit_for(name, raw, unfit) from unfit


def _written(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

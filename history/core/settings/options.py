"""The options of processors: what each may be, and how it is read. Nothing is guessed.

A processor is a dataclass, and its options are its fields: `limit: int = option(Integer(1))`.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any

from history.core.settings.spec import ValueKind
from history.core.words.errors import SettingError, Unfit
from history.core.words.facts import Rule, fact
from history.core.words.wording import printable


@dataclass(frozen=True, slots=True)
class Names:
    def from_json(self, raw: object, /) -> tuple[str, ...]:
        if isinstance(raw, list | tuple) and raw and all(isinstance(name, str) for name in raw):
            return tuple(raw)
        raise Unfit(fact(Rule.NO_NAMES))


def option(kind: Names | ValueKind, *, default: object = MISSING, example: object = None) -> Any:
    """Declare an option of a processor, as a field of its dataclass. Without a default, the option
    is required and needs an example.
    """
    return field(default=default, metadata={"kind": kind, "example": example})


def read_options(name: str, processor: type[Any], values: Mapping[str, object]) -> dict[str, Any]:
    """Read options for a class. Raise `SettingError` for one that is unknown, wrong or missing."""
    options = {each.name: each for each in fields(processor)}
    if unknown := values.keys() - options:
        bad = printable(", ".join(sorted(unknown)))
        raise SettingError(fact(Rule.NO_OPTION, name=name, option=bad, known=sorted(options)))
    for each in options.values():
        if each.default is MISSING and each.name not in values:
            example = json.dumps({"use": name, each.name: each.metadata["example"]})
            missing = fact(Rule.OPTION_MISSING, name=name, option=each.name, example=example)
            raise SettingError(missing)
    return {key: _read(name, options[key], value) for key, value in values.items()}


def _read(name: str, each: "Field[Any]", value: object) -> object:
    try:
        return each.metadata["kind"].from_json(value)
    except Unfit as unfit:
        figures = {"name": f"{name}: {each.name}", "value": printable(json.dumps(value))}
        raise SettingError(unfit.fact.having(**figures)) from unfit

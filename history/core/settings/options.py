"""Processors' options: what each may be, and how it is read. Strict: nothing is guessed.

A processor is a dataclass, and its options are its fields: `limit: int = option(Whole(1))`.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, Protocol

from history.core.errors import SettingError
from history.core.wording import number, printable


class Range(Protocol):
    """`values` describes the allowed values for people; `example` is one of them, as in JSON."""

    @property
    def values(self) -> str: ...

    @property
    def example(self) -> object: ...

    def read(self, given: object, /) -> object:
        """Read a value. The ValueError's text completes a sentence: "must be ..."."""


@dataclass(frozen=True, slots=True)
class Names:
    values: str = "a list of tool names that is not empty"
    example: tuple[str, ...] = ("search",)

    def read(self, given: object, /) -> tuple[str, ...]:
        if isinstance(given, list | tuple) and given and all(isinstance(v, str) for v in given):
            return tuple(given)
        raise ValueError(f"must be {self.values}")


@dataclass(frozen=True, slots=True)
class Flag:
    values: str = "true, false"
    example: bool = True

    def read(self, given: object, /) -> bool:
        if isinstance(given, bool):
            return given
        raise ValueError("must be true or false")


@dataclass(frozen=True, slots=True)
class Whole:
    least: int
    example: int

    @property
    def values(self) -> str:
        return f"{number(self.least)} and up"

    def read(self, given: object, /) -> int:
        if not isinstance(given, int) or isinstance(given, bool):
            raise ValueError(f"must be a whole number, {number(self.least)} or more")
        if given < self.least:
            raise ValueError(f"must be {number(self.least)} or more")
        return given


def option(range_: Range, *, default: object = MISSING) -> Any:
    """Declare a processor's field; without a default it is required."""
    return field(default=default, metadata={"range": range_})


def range_of(each: "Field[Any]") -> Range:
    found: Range = each.metadata["range"]
    return found


def read_options(name: str, processor: type[Any], given: Mapping[str, object]) -> dict[str, Any]:
    """Read options for a class. Raise `SettingError` for one that is unknown, wrong or missing."""
    known = {each.name: each for each in fields(processor)}
    if unknown := given.keys() - known:
        bad, good = ", ".join(sorted(unknown)), ", ".join(sorted(known))
        raise SettingError(f"{name}: no option {printable(bad)}; there are {good}")
    for each in known.values():
        if each.default is MISSING and each.name not in given:
            spec = json.dumps({"use": name, each.name: range_of(each).example})
            raise SettingError(f"{name}: the option {each.name} is missing; give it as in {spec}")
    return {key: _read(name, known[key], value) for key, value in given.items()}


def _read(name: str, each: "Field[Any]", value: object) -> object:
    try:
        return range_of(each).read(value)
    except ValueError as error:
        shown = printable(json.dumps(value))
        raise SettingError(f"{name}: {each.name}={shown} {error}") from error

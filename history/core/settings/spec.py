"""The parts of the settings table: layers, groups, and one row for each setting."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from history.core.words.errors import Unfit
from history.core.words.facts import Rule, fact
from history.core.words.wording import number

Value: TypeAlias = str | int | bool

STRIDE = "length_stride"
# The highest number, unless a setting's own limit is lower; it fits in a database column.
MOST = 1_000_000_000


def _none() -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of one word. `more` returns words that are registered while the program starts."""

    values: tuple[str, ...]
    more: Callable[[], Iterable[str]] = _none

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.values, *self.more())

    def from_text(self, raw: object, /) -> str:
        if not isinstance(raw, str) or raw not in self.names:
            raise Unfit(fact(Rule.NO_CHOICE, choices=list(self.names)))
        return raw

    from_json = from_text


@dataclass(frozen=True, slots=True)
class Integer:
    minimum: int
    maximum: int = MOST

    @property
    def bounds(self) -> str:
        """Write the range in the form used by documents and help: `256 to 1,000,000,000`."""
        return f"{number(self.minimum)} to {number(self.maximum)}"

    def from_text(self, raw: object, /) -> int:
        """Read ASCII digits only: no sign, blank, point, exponent or underscore."""
        digits = re.fullmatch("0*([0-9]{1,10})", raw) if isinstance(raw, str) else None
        if not digits or not self._holds(value := int(digits[1])):
            raise self._unfit()
        return value

    def from_json(self, raw: object, /) -> int:
        if not isinstance(raw, int) or isinstance(raw, bool) or not self._holds(raw):
            raise self._unfit()
        return raw

    def _holds(self, value: int) -> bool:
        return self.minimum <= value <= self.maximum

    def _unfit(self) -> Unfit:
        return Unfit(fact(Rule.NO_NUMBER, least=self.minimum, most=self.maximum))


@dataclass(frozen=True, slots=True)
class Boolean:
    def from_text(self, raw: object, /) -> bool:
        if raw not in ("true", "false"):
            raise Unfit(fact(Rule.NO_BOOLEAN))
        return raw == "true"

    def from_json(self, raw: object, /) -> bool:
        if not isinstance(raw, bool):
            raise Unfit(fact(Rule.NO_BOOLEAN))
        return raw


@dataclass(frozen=True, slots=True)
class ModelName:
    """A name in litellm's form. It never contains an address: those come from the environment."""

    longest: int = 120

    def from_text(self, raw: object, /) -> str:
        if not isinstance(raw, str) or not self._holds(raw):
            raise Unfit(fact(Rule.NO_MODEL, longest=self.longest))
        return raw

    from_json = from_text

    def _holds(self, text: str) -> bool:
        match = re.fullmatch(r"[A-Za-z0-9._+~:/@-]+", text)
        return bool(match) and len(text) <= self.longest and not re.search(r"://|\.\.", text)


ValueKind: TypeAlias = Choice | Integer | Boolean | ModelName


def gettext_noop(text: str) -> str:
    """Mark a text for `makemessages`; it is translated where it is shown."""
    return text


ON_OFF = {True: gettext_noop("on"), False: gettext_noop("off")}


class LayerName(StrEnum):
    """The names of the layers, strongest first."""

    ENVIRONMENT = gettext_noop("environment")
    WHAT_IF = "what_if"
    URL = gettext_noop("url")
    CONVERSATION = gettext_noop("conversation")
    TEMPLATE = gettext_noop("template")
    SITE = gettext_noop("site")
    BUILT_IN = "built_in"


class SettingGroup(StrEnum):
    """The subjects of settings, in the order in which pages show them."""

    WINDOW = gettext_noop("Window")
    BUDGET = gettext_noop("Budget")
    TOOLS = gettext_noop("Tools")
    ATTACHMENTS = gettext_noop("Images and files")
    REASONING = gettext_noop("Reasoning")
    CACHE = gettext_noop("Cache")
    SUMMARIES = gettext_noop("Summaries")


@dataclass(frozen=True, slots=True)
class SettingSpec:
    """One setting. `environment` is its variable's name, then the older spellings accepted.

    `advice` names values to begin with, and `words` say what the values of a choice mean. A
    `default` of None is off, or computed; `unset` says which, in words. `zero` is a 0 with its
    meaning, and `zero_means` only the meaning.
    """

    name: str
    label: str
    group: SettingGroup
    help: str
    kind: ValueKind
    default: Value | None
    layers: frozenset[LayerName]
    environment: tuple[str, ...]
    url: str | None = None
    unset: str = ""
    zero: str = ""
    zero_means: str = ""
    advice: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    default_source: str = "built-in"

    def allows(self, layer: LayerName) -> bool:
        """Whether the layer may set this setting. An experiment may set all that a chat may set for
        itself, and also the stride, so that its length keeps the stride that it was tried with.
        """
        if layer is LayerName.WHAT_IF:
            return self.name == STRIDE or LayerName.CONVERSATION in self.layers
        return layer is LayerName.BUILT_IN or layer in self.layers

    def shown(self, value: object) -> str:
        if value is None:
            return self.unset
        if isinstance(value, bool):
            return ON_OFF[value]
        return self.zero if self.zero and value == 0 else shown_value(value)


def shown_value(value: object) -> str:
    """Write a value as people type it, but with separators: `true`, `lastN`, `8,192`."""
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return str(value).lower()
    return number(value) if isinstance(value, int) else str(value)


TEMPLATE = frozenset({LayerName.ENVIRONMENT, LayerName.TEMPLATE})
ADMINISTRATORS = TEMPLATE | {LayerName.SITE}
CONVERSATIONS = ADMINISTRATORS | {LayerName.CONVERSATION}
EVERYONE = CONVERSATIONS | {LayerName.URL}

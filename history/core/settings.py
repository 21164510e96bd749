"""The settings, in one table: names, ranges, defaults, help, and which layers may set them.

Environment and URL names, parsing, forms and documentation are all made from it. A new setting is
one row here and the code that obeys it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from history.core.kinds import Boolean, Choice, Integer, Kind, Value


class LayerName(StrEnum):
    """The layers, strongest first."""

    ENVIRONMENT = "environment"
    URL = "url"
    CONVERSATION = "conversation"
    TEMPLATE = "template"
    SITE = "site"
    BUILT_IN = "built_in"

    @property
    def rank(self) -> int:
        """0 is the strongest."""
        return list(LayerName).index(self)


class SettingError(ValueError):
    """A setting that does not exist, or a value it may not have; the text names both."""


class SettingErrors(SettingError):
    """Everything that is wrong with one layer: setting (or variable) -> sentence."""

    def __init__(self, by_setting: Mapping[str, str]) -> None:
        super().__init__("; ".join(by_setting.values()))
        self.by_setting = dict(by_setting)

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(self.by_setting.values())


@dataclass(frozen=True, slots=True)
class SettingSpec:
    """One setting. `environment` is its variable's name, then the older spellings accepted."""

    name: str
    label: str
    help: str
    kind: Kind
    default: Value
    layers: frozenset[LayerName]
    environment: tuple[str, ...]
    url: str | None = None
    default_source: str = "built-in"

    def allows(self, layer: LayerName) -> bool:
        return layer is LayerName.BUILT_IN or layer in self.layers


ADMINISTRATORS = frozenset({LayerName.ENVIRONMENT, LayerName.TEMPLATE, LayerName.SITE})
EVERYONE = ADMINISTRATORS | {LayerName.URL, LayerName.CONVERSATION}

SETTINGS: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="policy",
        label="History policy",
        help="How much of the transcript is sent: none, lastN or all.",
        kind=Choice(("none", "lastN", "all")),
        default="lastN",
        layers=EVERYONE,
        environment=("DEFAULT_HISTORY_POLICY", "NEXT_PUBLIC_DEFAULT_HISTORY_POLICY"),
        url="historyPolicy",
    ),
    SettingSpec(
        name="length",
        label="History length",
        help="How many user messages lastN keeps, the current one included. 0 acts as 1. "
        "Most agents do well with 5 to 20.",
        kind=Integer(0, 10_000),
        default=20,
        layers=EVERYONE,
        environment=("DEFAULT_HISTORY_LENGTH", "NEXT_PUBLIC_DEFAULT_HISTORY_LENGTH"),
        url="historyLength",
    ),
    SettingSpec(
        name="preserve_system_messages",
        label="Preserve system messages",
        help="System messages inside the transcript survive every policy; false removes them all. "
        "The agent's own prompt is not among them.",
        kind=Boolean(),
        default=True,
        layers=ADMINISTRATORS,
        environment=("HISTORY_PRESERVE_SYSTEM_MESSAGES",),
    ),
    SettingSpec(
        name="context_window",
        label="Context window",
        help="The model's own limit in tokens, where its catalogue is missing or wrong.",
        kind=Integer(512),
        default=8_192,
        layers=frozenset({LayerName.ENVIRONMENT, LayerName.TEMPLATE}),
        environment=("HISTORY_CONTEXT_WINDOW",),
        default_source="assumed",
    ),
    SettingSpec(
        name="output_reserve",
        label="Output reserve",
        help="Tokens of the context window kept free for the answer.",
        kind=Integer(1),
        default=4_096,
        layers=ADMINISTRATORS,
        environment=("HISTORY_OUTPUT_RESERVE",),
    ),
)

BY_NAME: Mapping[str, SettingSpec] = MappingProxyType({spec.name: spec for spec in SETTINGS})

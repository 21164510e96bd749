"""The parts of the settings table: layers, groups, and one row for each setting."""

from dataclasses import dataclass
from enum import StrEnum

from history.core.settings.kinds import Value, ValueKind
from history.core.wording import number


def gettext_noop(text: str) -> str:
    """Lets `makemessages` find the text, which is translated where it is shown."""
    return text


class LayerName(StrEnum):
    """The layers, strongest first."""

    ENVIRONMENT = gettext_noop("environment")
    URL = gettext_noop("url")
    CONVERSATION = gettext_noop("conversation")
    TEMPLATE = gettext_noop("template")
    SITE = gettext_noop("site")
    BUILT_IN = "built_in"

    @property
    def rank(self) -> int:
        """Return the layer's strength; 0 is the strongest."""
        return list(LayerName).index(self)


class SettingGroup(StrEnum):
    """The subjects of settings, in the order in which pages show them."""

    WINDOW = gettext_noop("Window")
    BUDGET = gettext_noop("Budget")
    TOOLS = gettext_noop("Tools")
    CACHE = gettext_noop("Cache")
    SUMMARIES = gettext_noop("Summaries")


@dataclass(frozen=True, slots=True)
class SettingSpec:
    """One setting. `environment` is its variable's name, then the older spellings accepted.

    A `default` of None is off, or computed; `unset` says which, in words.
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
    default_source: str = "built-in"

    def allows(self, layer: LayerName) -> bool:
        return layer is LayerName.BUILT_IN or layer in self.layers

    def shown(self, value: object) -> str:
        return self.unset if value is None else shown(value)


def shown(value: object) -> str:
    """Write a value as settings are written everywhere: `true`, `lastN`, `8,192`."""
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return str(value).lower()
    return number(value) if isinstance(value, int) else str(value)


TEMPLATE = frozenset({LayerName.ENVIRONMENT, LayerName.TEMPLATE})
ADMINISTRATORS = TEMPLATE | {LayerName.SITE}
CONVERSATIONS = ADMINISTRATORS | {LayerName.CONVERSATION}
EVERYONE = CONVERSATIONS | {LayerName.URL}

"""The settings, in one table: names, ranges, defaults, help, and which layers may set them.

Names in the environment and in URLs, parsing, forms and documentation are all made from the table.
A new setting is a row in its group's file, with the code that applies it.
"""

from collections.abc import Mapping
from types import MappingProxyType

from history.core.settings.parts import ATTACHMENTS, REASONING
from history.core.settings.reduction import CACHE, SUMMARIES, TOOLS
from history.core.settings.spec import (
    SettingSpec,
)
from history.core.settings.window import BUDGET, WINDOW

SETTINGS: tuple[SettingSpec, ...] = (
    *WINDOW,
    *BUDGET,
    *TOOLS,
    *ATTACHMENTS,
    *REASONING,
    *CACHE,
    *SUMMARIES,
)

BY_NAME: Mapping[str, SettingSpec] = MappingProxyType({spec.name: spec for spec in SETTINGS})

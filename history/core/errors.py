"""The errors for settings and extensions that cannot be used, and for needing more messages."""

from collections.abc import Mapping
from typing import ClassVar


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


class CannotPlan(ValueError):
    """No request can be made; the text says why to whoever asked. `kind` is for programs."""

    kind: ClassVar[str] = "cannot_plan"


class ExtensionFailed(CannotPlan):
    """An extension raised or returned something invalid. The text names it and its place."""

    kind = "extension"


def failed(what: str, error: Exception) -> ExtensionFailed:
    """Return the error without the foreign one's own words, which not every reader may see."""
    why = str(error) if isinstance(error, SettingError) else type(error).__name__
    return ExtensionFailed(f"{what} failed: {why}")


class NeedsMore(Exception):
    """Messages before this position matter; `room`: tokens of them that a cut there would leave."""

    def __init__(self, before: int, room: int | None = None) -> None:
        super().__init__(f"the messages before position {before} must be read")
        self.before = before
        self.room = room

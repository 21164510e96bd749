"""What is raised where a setting, or what stands beside the settings, cannot be taken."""

from collections.abc import Mapping


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

"""Errors: a setting or an extension cannot be used, or more messages must be read first."""

from collections.abc import Mapping
from typing import ClassVar

from history.core.words.facts import Fact, Rule, fact


class Unfit(ValueError):
    """A setting may not have this value; `fact` says which values it may have."""

    def __init__(self, fact: Fact) -> None:
        super().__init__(fact)
        self.fact = fact


class SettingError(ValueError):
    """A setting does not exist, or may not have the given value.

    `history.wording.faults` words the error. An extension gives a sentence instead of a fact.
    """

    def __init__(self, wrong: Fact | str) -> None:
        self.fact = as_fact(wrong)
        super().__init__(str(self.fact))


class SettingErrors(SettingError):
    """All errors in the values of one layer, by the setting's name."""

    def __init__(self, by_setting: Mapping[str, Fact | str]) -> None:
        self.by_setting = {name: as_fact(wrong) for name, wrong in by_setting.items()}
        super().__init__("; ".join(map(str, self.by_setting.values())))


def as_fact(wrong: Fact | str) -> Fact:
    return wrong if isinstance(wrong, Fact) else fact(Rule.TOLD, sentence=wrong)


class CannotPlan(ValueError):
    """No request can be made. `history.wording.faults` says why; programs read `kind`."""

    kind: ClassVar[str] = "cannot_plan"

    def __init__(self, fact: Fact) -> None:
        super().__init__(fact)
        self.fact = fact


class ExtensionFailed(CannotPlan):
    """An extension raised, or returned something invalid. The fact names it and its place."""

    kind = "extension"


def failed(error: Exception, rule: Rule, **figures: str) -> ExtensionFailed:
    """Return the error without the original error's text, which not every reader may see."""
    why = error.fact.as_dict() if isinstance(error, SettingError) else type(error).__name__
    return ExtensionFailed(fact(rule, **figures, why=why))


class Outgrown(Exception):
    """The current turn outgrows the window if earlier decisions of its generation stay."""


class NeedsMore(Exception):
    """The result depends on messages before this position that were not read."""

    def __init__(self, before: int) -> None:
        super().__init__(f"the messages before position {before} must be read")
        self.before = before

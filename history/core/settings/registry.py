"""Processors and pruners registered from outside, by the names that settings use for them.

docs/extending.md says what extensions receive and return. The environment names them as dotted
paths; they are registered at start-up, never from a page.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from history.core.transcript.segments import Segments
from history.core.words.errors import SettingError, failed
from history.core.words.facts import Rule, fact
from history.core.words.wording import printable

Factory: TypeAlias = Callable[..., Callable[[Segments], Segments]]


@dataclass(frozen=True, slots=True)
class OwnPruner:
    """A registered pruner; its errors name it."""

    name: str
    pruner: Callable[..., int]

    def __call__(self, *arguments: Any) -> int:
        """Call the pruner. Raise `ExtensionFailed` if it raises or returns anything invalid."""
        try:
            place = self.pruner(*arguments)
            if type(place) is not int:
                raise SettingError(fact(Rule.NO_TURN, kind=type(place).__name__))
        except Exception as error:
            raise failed(error, Rule.PRUNER_FAILED, name=self.name) from error
        return place


BUILT_IN_PROCESSORS = ("tool_call_filter", "token_limiter")
BUILT_IN_PRUNERS = ("fifo", "sliding_window", "summarize")

processors: dict[str, Factory] = {}
pruners: dict[str, OwnPruner] = {}
_expected: set[str] = set()


def register_processor(name: str, factory: Factory) -> None:
    """Register `factory(**options)`, which returns a function from segments to segments. Raise
    `SettingError` if the name or the factory is unfit.
    """
    _check(name, factory)
    if isinstance(factory, type) and not any("__call__" in vars(base) for base in factory.__mro__):
        raise SettingError(f"{name}: what {factory.__name__} makes is no function of segments")
    _register(processors, name, factory, BUILT_IN_PROCESSORS)


def register_pruner(name: str, pruner: Callable[..., int]) -> None:
    """Register `pruner(turns, settings, budget)`: it returns the place of the first turn kept.

    Raise `SettingError` if the name or the pruner is unfit.
    """
    _check(name, pruner)
    if isinstance(pruner, type):
        raise SettingError(f"{name}: must be a function, not a class")
    _register(pruners, name, OwnPruner(name, pruner), BUILT_IN_PRUNERS)


def make_processor(name: str, options: Mapping[str, Any]) -> Callable[[Segments], Segments]:
    """Make a registered processor. Raise `SettingError` for any error, also one in its code."""
    try:
        function = processors[name](**options)
    except Exception as error:
        raise SettingError(f"{name}: {type(error).__name__}: {error}") from error
    if not callable(function):
        raise SettingError(fact(Rule.NO_FUNCTION, name=name, kind=type(function).__name__))
    return function


def expect_pruners(names: Iterable[str]) -> None:
    """Accept the names of pruners that are registered later: the environment is read and checked
    before extensions load.
    """
    _expected.update(names)


def pruner_names() -> tuple[str, ...]:
    """Return the names that the setting `pruner` accepts besides the built-in ones."""
    return tuple(sorted(_expected | pruners.keys()))


def _check(name: str, entry: object) -> None:
    if not re.fullmatch("[a-z][a-z0-9_]{0,39}", name):
        rule = "must be at most 40 lower-case letters, digits and underscores, a letter first"
        raise SettingError(f"{printable(name)}: {rule}")
    if not callable(entry):
        raise SettingError(f"{name}: must be a function")


def _register(table: dict[str, Any], name: str, entry: object, names: tuple[str, ...]) -> None:
    if name in names or table.setdefault(name, entry) != entry:
        raise SettingError(f"{name}: is taken, choose another name")

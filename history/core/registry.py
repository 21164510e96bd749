"""Processors and pruners of one's own, by the name that settings use for them.

They are named in the environment as dotted paths and registered at start-up, never from a page.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from history.core.errors import SettingError
from history.core.segments import Segments
from history.core.wording import printable

Factory: TypeAlias = Callable[..., Callable[[Segments], Segments]]

BUILT_IN_PROCESSORS = ("tool_call_filter", "token_limiter")
BUILT_IN_PRUNERS = ("fifo", "sliding_window", "summarize")

_processors: dict[str, Factory] = {}
_pruners: dict[str, Callable[..., int]] = {}
_expected: set[str] = set()


def register_processor(name: str, factory: Factory) -> None:
    """`factory(**options)` makes a function from segments to segments. Raises `SettingError`."""
    _register(_processors, name, factory, BUILT_IN_PROCESSORS)


def register_pruner(name: str, pruner: Callable[..., int]) -> None:
    """`pruner(turns, settings, budget)` gives the place of the first turn it would keep.

    Raises `SettingError`.
    """
    _register(_pruners, name, pruner, BUILT_IN_PRUNERS)


def expect_pruners(names: Iterable[str]) -> None:
    """Names that the start will register: the environment is read, and checked, before that."""
    _expected.update(names)


def processors() -> Mapping[str, Factory]:
    return _processors


def pruners() -> Mapping[str, Callable[..., int]]:
    return _pruners


def pruner_names() -> tuple[str, ...]:
    """What the setting may name besides the built-in ones."""
    return tuple(sorted(_expected | _pruners.keys()))


def _register(
    table: dict[str, Any], name: str, entry: Callable[..., Any], taken: tuple[str, ...]
) -> None:
    if not re.fullmatch("[a-z][a-z0-9_]{0,39}", name):
        rule = "must be at most 40 lower-case letters, digits and underscores, a letter first"
        raise SettingError(f"{printable(name)}: {rule}")
    if not callable(entry):
        raise SettingError(f"{name}: must be a function")
    if name in taken or table.setdefault(name, entry) is not entry:
        raise SettingError(f"{name}: is taken, choose another name")

"""The leaves of a JSON value, each with the path that leads to it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value without parts: a scalar, an empty list or an empty object."""

    path: Path
    value: Any

    @property
    def key(self) -> str:
        """A key that is equal for leaves with equal content. Of a data URL only the data counts."""
        if isinstance(self.value, str) and self.value.startswith("data:"):
            return written(self.value.partition(";base64,")[2] or self.value)
        return written(self.value)


def leaves_of(value: Any, path: Path = ()) -> Iterator[Leaf]:
    """Yield the leaves of a value, in order."""
    if isinstance(value, dict) and value:
        for name, part in value.items():
            yield from leaves_of(part, (*path, name))
    elif isinstance(value, list) and value:
        for place, part in enumerate(value):
            yield from leaves_of(part, (*path, place))
    else:
        yield Leaf(path, value)


def objects_of(value: Any, path: Path = ()) -> Iterator[Leaf]:
    """Yield the value and every object and list in it, each as if it were a leaf."""
    if isinstance(value, dict | list):
        yield Leaf(path, value)
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for name, part in parts:
            yield from objects_of(part, (*path, name))


def written(value: Any) -> str:
    """Return the canonical text of a JSON value, in which true and 1 are different."""
    return json.dumps(value, sort_keys=True)


def path_text(path: Path) -> str:
    """Write a path for people, without list indexes: `messages[].content`."""
    names = "".join("[]" if isinstance(part, int) else f".{part}" for part in path)
    return names.removeprefix(".")

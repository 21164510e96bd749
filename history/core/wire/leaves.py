"""A JSON value as its leaves, each with the path that leads to it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value without parts: a scalar, or a list or an object that is empty."""

    path: Path
    value: Any

    @property
    def key(self) -> str:
        """A key that is equal for leaves with the same content. For a data URL, only its data
        counts.
        """
        if isinstance(self.value, str) and self.value.startswith("data:"):
            return written(self.value.partition(";base64,")[2] or self.value)
        return written(self.value)


def leaves_of(value: Any, path: Path = ()) -> Iterator[Leaf]:
    """Yield the leaves in the order of the value."""
    if isinstance(value, dict) and value:
        for name, part in value.items():
            yield from leaves_of(part, (*path, name))
    elif isinstance(value, list) and value:
        for place, part in enumerate(value):
            yield from leaves_of(part, (*path, place))
    else:
        yield Leaf(path, value)


def objects_of(value: Any, path: Path = ()) -> Iterator[Leaf]:
    """Yield every object and list in the value, and the value itself, as if each were a leaf."""
    if isinstance(value, dict | list):
        yield Leaf(path, value)
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for name, part in parts:
            yield from objects_of(part, (*path, name))


def written(value: Any) -> str:
    """Return a JSON value's canonical text, in which true and 1 differ."""
    return json.dumps(value, sort_keys=True)


def shown(path: Path) -> str:
    """Write a path for people, without list indexes: `messages[].content`."""
    names = "".join("[]" if isinstance(part, int) else f".{part}" for part in path)
    return names.removeprefix(".")

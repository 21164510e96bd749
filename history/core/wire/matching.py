"""Match the leaves of two bodies: which correspond, and which have no counterpart."""

import json
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from history.core.wire.leaves import Leaf, leaves_of, objects_of, written

# Lists in which the index of an item does not identify it.
TEXTS = frozenset({"messages", "tools"})
Pair: TypeAlias = tuple[Leaf, Leaf]
Likeness: TypeAlias = Callable[[Leaf], Hashable | None]


@dataclass(frozen=True, slots=True)
class Matching:
    """How the leaves of two bodies match. `same`: equal leaves at equal paths. `moved`: equal
    leaves at different paths. `changed`: different leaves at equal paths, or texts that differ only
    in the whitespace around them. `spelled`: a JSON text, the object that it encodes, and that
    object's leaves.
    """

    same: tuple[Pair, ...]
    moved: tuple[Pair, ...]
    changed: tuple[Pair, ...]
    spelled: tuple[tuple[Leaf, Leaf, tuple[Leaf, ...]], ...]
    dropped: tuple[Leaf, ...]
    added: tuple[Leaf, ...]


class _Rest:
    """The leaves of a body that have no counterpart in the other yet, in order."""

    def __init__(self, body: Any) -> None:
        self.leaves = {leaf.path: leaf for leaf in leaves_of(body)}

    def take(self, leaves: Iterable[Leaf]) -> None:
        for leaf in leaves:
            del self.leaves[leaf.path]


def matched(handed_body: Any, sent_body: Any) -> Matching:
    """Compare the body that was handed to a library with the body that it sent."""
    ours, theirs = _Rest(handed_body), _Rest(sent_body)
    same = _pairs(ours, theirs, lambda leaf: (leaf.path, leaf.key))
    changed = _pairs(ours, theirs, _parameter)
    spelled = tuple(_spelled(ours, theirs, sent_body))
    moved = [pair for likeness in LIKENESSES for pair in _pairs(ours, theirs, likeness)]
    changed += _pairs(ours, theirs, _trimmed)
    return Matching(
        same=tuple(same),
        moved=tuple(moved),
        changed=tuple(changed),
        spelled=spelled,
        dropped=tuple(ours.leaves.values()),
        added=tuple(theirs.leaves.values()),
    )


def _parameter(leaf: Leaf) -> Hashable | None:
    return None if leaf.path and leaf.path[0] in TEXTS else leaf.path


def _ending(length: int) -> Likeness:
    return lambda leaf: (leaf.key, leaf.path[-length:]) if len(leaf.path) >= length else None


def _trimmed(leaf: Leaf) -> Hashable | None:
    """Return a text without whitespace at its ends, so that texts differing only there match."""
    return leaf.value.strip() or None if isinstance(leaf.value, str) else None


LIKENESSES: tuple[Likeness, ...] = (
    _ending(4),
    _ending(3),
    _ending(2),
    lambda leaf: (leaf.key, leaf.path[:1], leaf.path[-1:]),
    _ending(1),
    lambda leaf: leaf.key if _tells(leaf.value) else None,
)


def _tells(value: Any) -> bool:
    """Return whether two equal values of this kind are worth pairing: booleans, None and empty
    texts are too often equal by chance.
    """
    return isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""


def _pairs(ours: _Rest, theirs: _Rest, likeness: Likeness) -> list[Pair]:
    """Pair the leaves that are alike, in order, and remove them from those that are left."""
    there: dict[Hashable, deque[Leaf]] = defaultdict(deque)
    for leaf in theirs.leaves.values():
        if (like := likeness(leaf)) is not None:
            there[like].append(leaf)
    pairs = [
        (leaf, there[like].popleft())
        for leaf in ours.leaves.values()
        if (like := likeness(leaf)) is not None and there.get(like)
    ]
    ours.take(leaf for leaf, _ in pairs)
    theirs.take(leaf for _, leaf in pairs)
    return pairs


def _spelled(
    ours: _Rest, theirs: _Rest, body: Any
) -> Iterator[tuple[Leaf, Leaf, tuple[Leaf, ...]]]:
    """Find JSON texts that were sent as the objects they encode, such as a call's arguments."""
    objects: dict[str, deque[Leaf]] = defaultdict(deque)
    for whole in objects_of(body):
        objects[written(whole.value)].append(whole)
    for leaf in list(ours.leaves.values()):
        if waiting := objects.get(_value_of(leaf)):
            whole = waiting.popleft()
            parts = tuple(leaves_of(whole.value, whole.path))
            if all(part.path in theirs.leaves for part in parts):
                ours.take([leaf])
                theirs.take(parts)
                yield leaf, whole, parts


def _value_of(leaf: Leaf) -> str:
    if not isinstance(leaf.value, str) or leaf.value[:1] not in {"{", "["}:
        return ""
    try:
        return written(json.loads(leaf.value))
    except ValueError:
        return ""

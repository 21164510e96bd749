"""Turn a tree of messages into branches. Pure functions.

A branch takes its beginning, up to some place, from an earlier branch, and goes on with messages of
its own. The first child of a message stays on the message's branch; each other child begins a new
one.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from history.core.transcript.messages import Role
from history.services.imports.chats import ImportedMessage, Skipped, Unreadable, Why

MOST_BRANCHES = 2_000
MOST_COPIED = 50_000  # The most messages that are copied to other branches.


@dataclass(slots=True)
class TreeBranch:
    """A branch to store: the line with number `of` up to position `through`, then `messages` of its
    own.
    """

    of: int | None = None
    through: int = -1
    messages: list[ImportedMessage] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The position of the branch's last message."""
        return self.through + len(self.messages)


@dataclass(frozen=True, slots=True)
class Branches:
    """All lines; `current` is the number of the line to open."""

    lines: tuple[TreeBranch, ...]
    current: int
    skipped: tuple[Skipped, ...] = ()


def branches_of(messages: Sequence[ImportedMessage], current: str | None = None) -> Branches:
    """Return the lines, each after the line from which it forks. A message without a known parent
    begins a new line.

    Raise `Unreadable` if there are too many lines.
    """
    skipped: list[Skipped] = []
    by_id = _once(messages, skipped)
    children = _children(by_id, skipped)
    work = _Work(children)
    work.grow()
    if lost := len(by_id) - len(work.places):
        skipped.append(Skipped(Why.CYCLE, figures={"count": lost}))
    last = current if current in work.places else next(reversed(work.places), None)
    return Branches(tuple(work.lines), work.line_with(last), tuple(skipped))


# The first message of a branch, and the id of its parent.
_Fork: TypeAlias = tuple[ImportedMessage, str | None]


class _Work:
    def __init__(self, children: dict[str | None, list[ImportedMessage]]) -> None:
        self.children = children
        self.lines: list[TreeBranch] = []
        # The line and the position of each message, by its id.
        self.places: dict[str, tuple[int, int]] = {}
        self.copied = 0

    def grow(self) -> None:
        """Make all lines: one for each message without a parent, followed by those that fork from
        it.
        """
        pending: list[_Fork] = [(message, None) for message in reversed(self.children[None])]
        while pending:
            pending += reversed(self._follow(*pending.pop()))

    def _follow(self, message: ImportedMessage, parent: str | None) -> list[_Fork]:
        """Follow a line to its end, and return where other lines fork from it."""
        line = self._begin(message, parent)
        own = self.lines[line]
        forks: list[_Fork] = []
        following: ImportedMessage | None = message
        while following is not None:
            own.messages.append(following)
            self.places[following.id] = line, own.end
            children = self.children.get(following.id, [])
            forks += [(other, following.id) for other in children[1:]]
            following = children[0] if children else None
        return forks

    def line_with(self, id_: str | None) -> int:
        """Return the line that contains the message; for None, return the first line."""
        if id_ is None:
            return 0
        line, _ = self.places[id_]
        return line

    def _begin(self, message: ImportedMessage, parent: str | None) -> int:
        """Begin a line after the parent. A call and its results stay together: a line that forks
        between them gets copies of them.
        """
        _refuse(len(self.lines) + 1, MOST_BRANCHES)
        if parent is None:
            self.lines.append(TreeBranch())
            return len(self.lines) - 1
        of, place = self.places[parent]
        through = self._whole(of, place) if message.role is Role.TOOL else place
        line = TreeBranch(of, through)
        self.copied += place - through
        _refuse(self.copied, MOST_COPIED)
        for position in range(through + 1, place + 1):
            copied = self._at(of, position)
            line.messages.append(replace(copied, id=f"{copied.id}#{len(self.lines)}"))
        self.lines.append(line)
        return len(self.lines) - 1

    def _whole(self, of: int, place: int) -> int:
        """Return the last position before the segment that a result at `place` + 1 belongs to."""
        while place >= 0 and self._at(of, place).role is Role.TOOL:
            place -= 1
        return place - 1 if place >= 0 and self._at(of, place).calls else place

    def _at(self, of: int, position: int) -> ImportedMessage:
        line = self.lines[of]
        while position <= line.through and line.of is not None:
            line = self.lines[line.of]
        return line.messages[position - line.through - 1]


def _refuse(count: int, most: int) -> None:
    if count > most:
        raise Unreadable(Why.TOO_MANY, count=count, most=most)


def _once(
    messages: Iterable[ImportedMessage], skipped: list[Skipped]
) -> dict[str, ImportedMessage]:
    by_id: dict[str, ImportedMessage] = {}
    for message in messages:
        if message.id in by_id:
            skipped.append(Skipped(Why.DUPLICATE_ID, message.id))
        else:
            by_id[message.id] = message
    return by_id


def _children(
    by_id: dict[str, ImportedMessage], skipped: list[Skipped]
) -> dict[str | None, list[ImportedMessage]]:
    children: dict[str | None, list[ImportedMessage]] = defaultdict(list)
    for message in by_id.values():
        if message.parent is not None and message.parent not in by_id:
            skipped.append(Skipped(Why.NO_PARENT, message.id))
            children[None].append(message)
        else:
            children[message.parent].append(message)
    return children

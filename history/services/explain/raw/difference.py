"""How a request differs from the previous one: by messages, and by lines within each of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from enum import StrEnum
from itertools import groupby
from typing import Any

from history.core.plan.neutral_request import canonical
from history.services.explain.raw.request import RebuiltRequest, SentMessage

LONGEST = 20_000  # The most characters of a text that is compared by lines.
UNCOMPARED = frozenset({"messages", "tools"})


class ChangeKind(StrEnum):
    SAME = "unchanged"
    REMOVED = "removed"
    ADDED = "added"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class MessageChange:
    """One message, in the previous request and in this one."""

    kind: ChangeKind
    was: SentMessage | None
    now: SentMessage | None

    @property
    def sent(self) -> SentMessage:
        message = self.now or self.was
        if message is None:
            raise ValueError("a change of nothing")
        return message

    @property
    def lines(self) -> list[str] | None:
        """The lines that differ between the texts; None if the texts are too long to compare."""
        was, now = _text(self.was), _text(self.now)
        if max(len(was), len(now)) > LONGEST:
            return None
        return list(unified_diff(was.splitlines(), now.splitlines(), lineterm="", n=2))[2:]


@dataclass(frozen=True, slots=True)
class ChangeStretch:
    """Neighbouring changes of the same kind."""

    kind: ChangeKind
    changes: tuple[MessageChange, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """All differences. `parameters`: name, before, after. `tools`: whether their schemas differ."""

    parameters: tuple[tuple[str, Any, Any], ...]
    tools: bool
    stretches: tuple[ChangeStretch, ...]

    @property
    def counts(self) -> dict[ChangeKind, int]:
        return {
            kind: sum(len(r.changes) for r in self.stretches if r.kind is kind)
            for kind in ChangeKind
        }


def difference(before: RebuiltRequest, after: RebuiltRequest) -> Difference:
    stretches = groupby(changes(before.sent, after.sent), lambda change: change.kind)
    return Difference(
        parameters=tuple(_parameters(before, after)),
        tools=canonical(before.body.get("tools")) != canonical(after.body.get("tools")),
        stretches=tuple(ChangeStretch(kind, tuple(group)) for kind, group in stretches),
    )


def changes(before: Sequence[SentMessage], after: Sequence[SentMessage]) -> Iterator[MessageChange]:
    """Yield the changes in the order of the requests, in linear time. A message that moved counts
    as one removed and one added.
    """
    olds, news = {message.key for message in before}, {message.key for message in after}
    old, new = 0, 0
    while old < len(before) or new < len(after):
        if old < len(before) and before[old].key not in news:
            yield MessageChange(ChangeKind.REMOVED, before[old], None)
            old += 1
        elif new < len(after) and after[new].key not in olds:
            yield MessageChange(ChangeKind.ADDED, None, after[new])
            new += 1
        elif before[old].key == after[new].key:
            same = canonical(before[old].content) == canonical(after[new].content)
            kind = ChangeKind.SAME if same else ChangeKind.CHANGED
            yield MessageChange(kind, before[old], after[new])
            old, new = old + 1, new + 1
        else:
            news.discard(before[old].key)
            olds.discard(before[old].key)


def _parameters(before: RebuiltRequest, after: RebuiltRequest) -> Iterator[tuple[str, Any, Any]]:
    for name in sorted((before.body.keys() | after.body.keys()) - UNCOMPARED):
        was, now = before.body.get(name), after.body.get(name)
        if was != now:
            yield name, was, now


def _text(message: SentMessage | None) -> str:
    """Write the content, followed by the calls, each on a line."""
    if message is None:
        return ""
    calls = [canonical(call["function"]) for call in message.content.get("tool_calls", ())]
    return "\n".join([message.text, *calls])

"""Segments, whose messages must stay together, and repairs of messages that providers would reject.

A call is paired only if its result follows before any message that is not a tool's. Of pairs with
the same id the first counts, and a call without an id or a name is in no pair. Only pairs are sent,
and stages count only pairs.
"""

from collections.abc import Container, Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TypeAlias, TypeVar

from history.core.transcript.messages import Message, Role, ToolCall, Transcript
from history.core.words.facts import Fact, Rule, fact
from history.core.words.wording import printable

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Repair:
    """A message that cannot be sent as it is. `rest` is the repaired message, None if nothing is
    left of it.
    """

    message: Message
    rest: Message | None
    reasons: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """An assistant message with calls and the results that answer them; or any other message by
    itself.

    `messages` are in the form in which they can be sent. A message that is removed altogether is a
    segment of its own, with no messages, so that each message of the transcript is in exactly one
    segment. `position` and `turn` are those of the first message, or of the removed one.
    """

    messages: tuple[Message, ...]
    repairs: tuple[Repair, ...] = ()
    tokens: int = field(init=False, repr=False, compare=False)
    position: int = field(init=False, repr=False, compare=False)
    turn: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute tokens, position and turn only once, because every stage reads them."""
        object.__setattr__(self, "tokens", sum([message.tokens for message in self.messages]))
        if self.messages or self.repairs:
            first = self.messages[0] if self.messages else self.repairs[0].message
            object.__setattr__(self, "position", first.position)
            object.__setattr__(self, "turn", first.turn)

    @property
    def is_note(self) -> bool:
        """Whether a projection added this segment; its place is that of the next message."""
        return bool(self.messages and self.messages[0].label)

    @property
    def results(self) -> tuple[Message, ...]:
        return tuple(message for message in self.messages if message.role is Role.TOOL)


Segments: TypeAlias = tuple[Segment, ...]


def segment(messages: Iterable[Message], before: Set[str] = frozenset()) -> Segments:
    """Make segments of messages in order. The messages must begin where a turn begins, or a pair
    may be cut.

    `before` are the ids of the pairs in earlier messages.
    """
    answered = set(before)
    return tuple(part for run in _groups(messages) for part in _segments(run, answered))


def grouped(transcript: Transcript) -> Segments:
    """Make the segments of a transcript; messages before and after an unread run are not
    neighbours.

    If a pair's id may occur twice, and one of these pairs was not read, the caller must give
    `project` segments that were made of the whole path. No stored conversation has such an id.
    """
    answered: set[str] = set()
    parts: list[Segment] = []
    for is_read, run in groupby(transcript, lambda item: isinstance(item, Message)):
        if is_read:
            read = (item for item in run if isinstance(item, Message))
            parts += [part for group in _groups(read) for part in _segments(group, answered)]
    return tuple(parts)


def ids_of(parts: Iterable[Segment]) -> frozenset[str]:
    """Return the ids of the pairs in these segments."""
    return frozenset(call.id for m in flat(parts) for call in m.tool_calls)


def are_whole(parts: Segments) -> bool:
    """Return whether `segment` would make exactly these segments of their messages."""
    ids = [call.id for part in parts for call in part.messages[0].tool_calls]
    return len(set(ids)) == len(ids) and all(map(_is_whole, parts))


def flat(segments: Iterable[Segment]) -> Iterator[Message]:
    return (message for part in segments for message in part.messages)


def _is_whole(part: Segment) -> bool:
    head = part.messages[0]
    if len(part.messages) == 1:
        says = head.role is not Role.ASSISTANT or bool(head.text.strip())
        return says and not head.tool_calls and head.role is not Role.TOOL
    results = part.messages[1:]
    calls = [call.id for call in head.tool_calls if call.id.strip() and call.name.strip()]
    return (
        head.role is Role.ASSISTANT
        and len(calls) == len(head.tool_calls) == len(results)
        and all(message.role is Role.TOOL for message in results)
        and {message.tool_call_id for message in results} == set(calls)
    )


def _groups(messages: Iterable[Message]) -> Iterator[list[Message]]:
    """Yield each message that is not a tool's with the tool messages that directly follow it."""
    group: list[Message] = []
    for message in messages:
        if group and message.role is not Role.TOOL:
            yield group
            group = []
        group.append(message)
    if group:
        yield group


def _segments(group: list[Message], answered: set[str]) -> Iterator[Segment]:
    """Make the segments of a group, adding the ids of its pairs to `answered`."""
    head = group[0]
    if len(group) == 1 and not head.tool_calls and head.role is not Role.TOOL:
        yield _headed(head, (), (), answered)  # Most groups consist of a single message.
        return
    results = group if head.role is Role.TOOL else group[1:]
    head_calls = head.tool_calls if head.role is Role.ASSISTANT else ()
    first_calls = _first_of_each((call.id, call) for call in head_calls if call.name.strip())
    first_results = _first_of_each((result.tool_call_id, result) for result in results)
    ids = (first_calls.keys() & first_results.keys()) - answered
    if head.role is not Role.TOOL:
        calls = tuple(call for id_, call in first_calls.items() if id_ in ids)
        answers = tuple(result for id_, result in first_results.items() if id_ in ids)
        yield _headed(head, calls, answers, answered)
    answered.update(ids)
    for result in results:
        if result.tool_call_id not in ids or first_results[result.tool_call_id] is not result:
            yield Segment((), (Repair(result, None, (_why_no_call(result, first_calls, ids),)),))


def _first_of_each(items: Iterable[tuple[str | None, T]]) -> dict[str, T]:
    """Return the first item with each id, in order; an item without an id is in no pair."""
    first: dict[str, T] = {}
    for id_, item in items:
        if id_ and not id_.isspace():
            first.setdefault(id_, item)
    return first


def _headed(
    head: Message, calls: tuple[ToolCall, ...], answers: tuple[Message, ...], answered: set[str]
) -> Segment:
    if head.role is not Role.ASSISTANT:
        return Segment((head,))
    if not (repair := _repair(head, calls, answered)):
        return Segment((head, *answers))
    return Segment((repair.rest, *answers) if repair.rest else (), (repair,))


def _repair(head: Message, paired: tuple[ToolCall, ...], answered: set[str]) -> Repair | None:
    lost = list(head.tool_calls)
    for call in paired:
        lost.remove(call)
    if not lost and (paired or head.text.strip()):
        return None
    if not lost:
        return Repair(head, None, (fact(Rule.EMPTY),))
    removed = not paired and not head.text.strip()
    first, *others = (_why_no_result(call, paired, answered) for call in lost)
    reasons = (first.having(then="removed" if removed else "taken_out"), *others)
    if removed:
        return Repair(head, None, (*reasons, fact(Rule.NOTHING_ELSE)))
    tokens = max(0, head.tokens - sum(call.tokens for call in lost))
    rest = replace(head, tool_calls=paired, tokens=tokens)
    return Repair(head, rest, reasons)


def _why_no_result(call: ToolCall, paired: tuple[ToolCall, ...], answered: set[str]) -> Fact:
    if not call.id.strip() or not call.name.strip():
        return fact(Rule.UNPAIRED_CALL, why="no_name" if call.id.strip() else "no_id")
    repeats = call.id in answered or any(call.id == other.id for other in paired)
    why = "repeats" if repeats else "no_result"
    return fact(Rule.UNPAIRED_CALL, why=why, call=printable(call.id), tool=printable(call.name))


def _why_no_call(result: Message, calls: Container[str | None], paired: set[str]) -> Fact:
    if result.tool_call_id in paired:
        return fact(Rule.UNPAIRED_RESULT, why="second")
    why = "repeats" if result.tool_call_id in calls else "no_call"
    return fact(Rule.UNPAIRED_RESULT, why=why)

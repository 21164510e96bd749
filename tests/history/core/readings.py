"""Transcripts as a reader loads them: whole at the end, with unread runs before that."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

from hypothesis import strategies as st

from history.core.projection.request import ProjectionRequest
from history.core.transcript.messages import Message, Role, Transcript, Unread
from tests.history.core.strategies import Path


def starts(path: Path, request: ProjectionRequest) -> list[int]:
    """Return the places where a reader may begin, newest first: at a turn, or after a summary."""
    turns = {message.position for message in path if message.role is Role.USER}
    behind = {point.last + 1 for point in request.checkpoints}
    return sorted({0, *turns, *behind}, reverse=True)


def read_from(start: int, path: Path, request: ProjectionRequest) -> Transcript:
    """Load everything from a place on, and before it only what must be read."""
    must = _must_be_read(path, request)
    breaks = {point.last + 1 for point in request.checkpoints}
    return _loaded(path, lambda p: p >= start or p in must, lambda p: p in breaks)


@st.composite
def honest(draw: st.DrawFn, path: Path, request: ProjectionRequest) -> Transcript:
    """Load what must be read, and more at random; unread runs may be split anywhere."""
    start = draw(st.sampled_from(starts(path, request)))
    must = _must_be_read(path, request)
    more = draw(st.frozensets(st.integers(0, max(0, start - 1)), max_size=3))
    breaks = draw(st.frozensets(st.integers(0, max(0, start)), max_size=3))
    ends = {point.last + 1 for point in request.checkpoints}
    return _loaded(path, lambda p: p >= start or p in must | more, lambda p: p in breaks | ends)


def _must_be_read(path: Path, request: ProjectionRequest) -> set[int]:
    """Return the positions that must always be read: preserved system messages, whole segments that
    a person marked, and calls that share an id, which no stored conversation has.
    """
    marked = request.pins | request.exclusions | _repeating(path)
    preserve = request.settings.value("preserve_system_messages")
    system = {m.position for m in path if preserve and m.role is Role.SYSTEM}
    return system.union(*(span for span in _spans(path) if marked.intersection(span)))


def _repeating(path: Path) -> set[int]:
    calls = [(call.id, message.position) for message in path for call in message.tool_calls]
    times = Counter(id_ for id_, _ in calls)
    return {position for id_, position in calls if times[id_] > 1}


def _spans(path: Path) -> Iterator[range]:
    """Yield the range of each message with the results that follow it."""
    heads = [m.position for m in path if m.role is not Role.TOOL or m.position == 0]
    return (range(a, b) for a, b in pairwise([*heads, len(path)]))


def _loaded(
    path: Path, is_read: Callable[[int], bool], breaks_at: Callable[[int], bool]
) -> Transcript:
    items: list[Message | Unread] = []
    for message in path:
        if is_read(message.position):
            items.append(message)
        elif items and isinstance(last := items[-1], Unread) and not breaks_at(message.position):
            items[-1] = _longer(last, message)
        else:
            items.append(_run(message))
    return tuple(items)


def _run(message: Message) -> Unread:
    place, turn = message.position, message.turn
    is_result = int(message.role is Role.TOOL)
    held = message.images, message.files
    return Unread(place, place, turn, turn, message.tokens, is_result, *held)


def _longer(run: Unread, message: Message) -> Unread:
    return replace(
        run,
        last=message.position,
        last_turn=message.turn,
        tokens=run.tokens + message.tokens,
        results=run.results + (message.role is Role.TOOL),
        images=run.images + message.images,
        files=run.files + message.files,
    )

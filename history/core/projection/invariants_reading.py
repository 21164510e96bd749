"""Helpers by which the invariants read a transcript and a projection of it."""

from collections.abc import Iterator, Sequence

from history.core.plan.plan import Entry
from history.core.plan.verdict import Verdict
from history.core.projection.project import Projection
from history.core.transcript.messages import Message, Transcript, Unread


def read_messages(transcript: Transcript) -> Iterator[Message]:
    return (item for item in transcript if isinstance(item, Message))


def sent_messages(projection: Projection) -> Iterator[Message]:
    """Return the transcript's messages that are sent, without notes."""
    return (message for message in projection.messages if not message.label)


def history_entries(projection: Projection) -> Iterator[Entry]:
    return (e for e in projection.plan.entries if e.verdict is not Verdict.INJECTED)


def span_of(item: Message | Unread) -> tuple[int, int]:
    return (item.first, item.last) if isinstance(item, Unread) else (item.position, item.position)


def joined(spans: Sequence[tuple[int | None, int | None]]) -> list[tuple[int, int]]:
    """Join runs that follow each other without a gap or an overlap."""
    joined: list[tuple[int, int]] = []
    for first, last in spans:
        if first is None or last is None:
            continue
        if joined and joined[-1][1] + 1 == first:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined

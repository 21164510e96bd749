"""The life of a generation in the database. Every write first checks its status and owner."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeAlias
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from history.core.transcript.messages import ToolCall
from history.models import Generation, GenerationEvent, GenerationStatus, Message
from history.services import event_rows
from history.services.answers import approval_log
from history.services.answers.changes import begin_queued, end_open, end_owned, note_logged
from history.services.answers.conversation import note_answer
from history.services.answers.so_far import NOTHING, Reply, reply_so_far
from history.services.path.appending import NewMessage, append, assistant_message, head_of
from history.services.path.queries import locked
from history.services.wire.figures import store_lost_figures

LOGGED = GenerationEvent.objects.filter(generation=OuterRef("pk")).order_by("-seq")
NEWEST = Coalesce(Subquery(LOGGED.values("seq")[:1]), "seq")  # The number of the last event.
ForApproval: TypeAlias = tuple[Sequence[ToolCall], str]  # Calls, and a note for the last result.
NO_APPROVAL_NEEDED: ForApproval = ((), "")
HOW_IT_ENDED = {
    GenerationStatus.FAILED: "the answer failed",
    GenerationStatus.PASSED_OVER: "the user sent a message instead",
}


class Fenced(Exception):
    """Somebody else ended the generation; the process that still runs it must stop writing."""


@dataclass(frozen=True, slots=True)
class Event:
    """One numbered event that a generation's viewers see."""

    seq: int
    kind: str
    data: dict[str, Any]


Batch: TypeAlias = tuple[Generation, Sequence[Event]]


def claim(generation: Generation, owner: str) -> bool:
    """Begin to run a queued generation. Of several callers, only one gets True."""
    count = begin_queued(pk=generation.pk, owner=owner, now=timezone.now())
    generation.owner = owner
    if count:
        generation.status = GenerationStatus.RUNNING  # The page is told of it as it is here.
    return bool(count)


def is_held(generation: Generation) -> bool:
    """Return whether the generation's owner runs it."""
    return _held(generation).exists()


def log_batches(batches: Sequence[Batch]) -> frozenset[UUID]:
    """Write batches of events of several generations, which is their heartbeat too.

    All generations have the same owner. Return those that it no longer runs; nothing is written for
    these. Events that an earlier try has stored are left out.
    """
    rows = Generation.objects.filter(
        pk__in=[generation.pk for generation, _ in batches],
        status=GenerationStatus.RUNNING,
        owner=batches[0][0].owner,
    )
    with transaction.atomic():
        seqs = dict(rows.select_for_update().order_by("pk").values_list("pk", "seq"))
        ours = [batch for batch in batches if batch[0].pk in seqs]
        new = ((each, [e for e in events if e.seq > seqs[each.pk]]) for each, events in ours)
        event_rows.insert(row for batch in new for row in _rows_of(*batch))
        rows.filter(pk__in=seqs).update(heartbeat_at=timezone.now(), seq=NEWEST)
    for generation, events in ours:
        generation.seq = events[-1].seq if events else generation.seq
    return frozenset(generation.pk for generation, _ in batches) - seqs.keys()


def store_messages(
    generation: Generation,
    new_messages: Sequence[NewMessage],
    asking: ForApproval = NO_APPROVAL_NEEDED,
) -> list[Message]:
    """Put a step's messages onto the path, and mark those of its calls that need approval. If an
    earlier try has stored them, return these.
    """
    with transaction.atomic():
        _fence(generation)
        head = head_of(generation.branch)
        if head and head.generation_id == generation.pk and _is_same(head, new_messages[-1]):
            return list(generation.messages.order_by("position"))[-len(new_messages) :]
        approval_log.ask(generation, *asking)
        return append(generation.branch, new_messages, generation, head)


def _is_same(message: Message, new: NewMessage) -> bool:
    """Compare the ids of calls, which are unique: all that a step stores has calls, or answers
    one.
    """
    ids = [call["id"] for call in message.tool_calls]
    return (ids, message.tool_call_id) == ([call.id for call in new.calls], new.call_id)


def begin(generation: Generation, call: ToolCall) -> bool:
    """Record that an approved call begins; return True the first time only. Raise Fenced."""
    with transaction.atomic():
        _fence(generation)
        return approval_log.begin(generation, call)


def pause(generation: Generation, events: Sequence[Event]) -> None:
    """Release a generation that waits for a person; the events are its last until that person has
    decided.
    """
    seq = events[-1].seq
    with transaction.atomic():
        _fence(generation)
        _held(generation).update(
            status=GenerationStatus.WAITING, owner="", heartbeat_at=None, seq=seq
        )
        _insert_events(generation, events)
    generation.status, generation.seq = GenerationStatus.WAITING, seq


def log_aside(generation: Generation, kind: str, data: dict[str, Any]) -> Event:
    """Log one more event of a generation that nobody runs."""
    with transaction.atomic():
        _lock(generation)
        generation.refresh_from_db(fields=["seq"])
        event = Event(generation.seq + 1, kind, data)
        log_end(generation, [event])
    generation.seq = event.seq
    return event


def end(
    generation: Generation,
    status: GenerationStatus,
    reply: Reply = NOTHING,
    error: dict[str, Any] | None = None,
    owner: str | None = None,
) -> bool:
    """End a generation once, with the text written last. Return False if it had ended already, or
    is not that of the `owner`, if one is given.
    """
    try:
        with transaction.atomic():
            return _end(generation, status, reply, error, owner)
    except Fenced:
        return False


def _end(
    generation: Generation,
    status: GenerationStatus,
    reply: Reply,
    error: dict[str, Any] | None,
    owner: str | None,
) -> bool:
    _lock(generation)
    last = {"status": status, "error": error, "ended": timezone.now()}
    key = generation.pk
    if not (end_owned(pk=key, owner=owner, **last) if owner else end_open(pk=key, **last)):
        return False
    new_messages = approval_log.closing_messages(generation, ended_as(status))
    if reply:
        agent = generation.snapshot_at().agent.slug
        new_messages.append(assistant_message(reply.text, (), agent, reply.reasoning))
    if new_messages:
        append(generation.branch, new_messages, generation)
    note_answer(generation, status)
    for name, value in last.items():
        setattr(generation, name, value)
    return True


def has_ended(generation: Generation, status: GenerationStatus) -> bool:
    """Read how the generation has ended, and return whether it has this status."""
    generation.refresh_from_db(fields=["status", "error", "ended"])
    return generation.status == status


def log_end(generation: Generation, events: Sequence[Event]) -> None:
    """Log the last events, after the end itself was stored."""
    with transaction.atomic():
        _insert_events(generation, events)
        note_logged(pk=generation.pk, seq=events[-1].seq)


def interrupt(
    generation: Generation, status: GenerationStatus = GenerationStatus.INTERRUPTED
) -> bool:
    """End a generation whose process is gone: keep what it had written, count what it had sent."""
    reply = reply_so_far(generation)
    with transaction.atomic():
        if ended := end(generation, status, reply):
            store_lost_figures(generation, brought=bool(reply))
    return ended


def drop_old_events(hours: int) -> int:
    """Delete the event logs of generations that ended long ago; the messages stay."""
    past = timezone.now() - timedelta(hours=hours)
    return GenerationEvent.objects.filter(generation__ended__lt=past).delete()[0]


def _held(generation: Generation) -> QuerySet[Generation]:
    return Generation.objects.filter(
        pk=generation.pk, status=GenerationStatus.RUNNING, owner=generation.owner
    )


def ended_as(status: GenerationStatus) -> str:
    """Say how the answer ended, as a reason why a call has no result."""
    return HOW_IT_ENDED.get(status, f"the answer was {status}")


def _fence(generation: Generation) -> None:
    """Hold the conversation. Raise Fenced unless the generation's owner still runs it."""
    _lock(generation)
    if not is_held(generation):
        raise Fenced


def _lock(generation: Generation) -> None:
    """Hold the conversation. Raise Fenced if it was deleted meanwhile."""
    if not locked(pk=generation.conversation_id):
        raise Fenced


def _insert_events(generation: Generation, events: Sequence[Event]) -> None:
    event_rows.insert(_rows_of(generation, events))


def _rows_of(generation: Generation, events: Sequence[Event]) -> Iterator[event_rows.Row]:
    for event in events:
        yield generation.pk, event.seq, event.kind, event.data

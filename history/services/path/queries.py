"""The prepared queries of a path. Those with a `branch` are only for branches that take no messages
from others.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from history.models import Checkpoint, CheckpointState, Conversation, Message, MessageMark
from history.models.conversation import END, Span
from history.models.message import MessageFields, MessageQuerySet
from history.services.prepared import field, prepared

PAGE = 96  # How many messages are read at once.


def newest_in(span: Span) -> Message | None:
    """Return the newest message of a span, with its hash."""
    branch, first, last = span
    if not first and last == END:
        return newest_of.first(branch=branch)
    return _newest_first(span).first()


@prepared(branch=field(Message, "branch"))
def newest_of(branch: Any) -> QuerySet[Message]:
    return _newest_first((branch, 0, END))[:1]


def _newest_first(span: Span) -> QuerySet[Message]:
    return Message.objects.on_span(span).select_related("path_hash").order_by("-position")


@prepared(conversation=field(MessageMark, "conversation"))
def marks_in(conversation: Any) -> QuerySet[MessageMark, tuple[str, int, int]]:
    rows = MessageMark.objects.filter(conversation=conversation)
    return rows.values_list("kind", "message__branch", "message__position")


@prepared(conversation=field(Checkpoint, "conversation"))
def ready_in(conversation: Any) -> "QuerySet[Any, Any]":
    rows = Checkpoint.objects.filter(conversation=conversation, state=CheckpointState.READY)
    return with_ends(rows)


def with_ends(rows: QuerySet[Checkpoint]) -> "QuerySet[Any, Any]":
    ends = Message.objects.filter(
        branch=OuterRef("branch"), position=OuterRef("last"), turn=OuterRef("last_turn")
    )
    return rows.annotate(is_past=Exists(ends))


def newest_on(span: Span, first_turn: int, size: int, after: int) -> Iterable[MessageFields]:
    """Return at most `size` of a span's newest messages, none before turn `first_turn` or position
    `after`.
    """
    branch, first, last = span
    if size == PAGE + 1 and not first and last == END and not after:
        return newest_page(branch=branch, turn=first_turn)
    rows = Message.objects.on_span(span).filter(turn__gte=first_turn)
    rows = rows.filter(position__gte=after) if after > first else rows
    return by_turns(rows)[:size]


@prepared(branch=field(Message, "branch"), turn=field(Message, "turn"))
def newest_page(branch: Any, turn: Any) -> "QuerySet[Any, MessageFields]":
    rows = Message.objects.on_span((branch, 0, END)).filter(turn__gte=turn)
    return by_turns(rows)[: PAGE + 1]


def by_turns(rows: MessageQuerySet) -> "QuerySet[Any, MessageFields]":
    # Turn comes first, because ordered only by position, SQLite reads the whole branch, which takes
    # 25 ms for 100,000 messages.
    return rows.stored().order_by("-turn", "-position")


@prepared(generation=field(Message, "generation"))
def written_by(generation: Any) -> QuerySet[Message]:
    return Message.objects.filter(generation=generation).order_by("position")


@prepared(pk=field(Conversation, "id"))
def locked(pk: Any) -> QuerySet[Conversation, UUID]:
    return Conversation.objects.select_for_update().filter(pk=pk).values_list("pk", flat=True)


@prepared(
    branch=field(Message, "branch"),
    first=field(Message, "position"),
    last=field(Message, "position"),
)
def texts_between(branch: Any, first: Any, last: Any) -> "QuerySet[Any, Any]":
    rows = Message.objects.filter(branch=branch, position__gte=first, position__lte=last)
    return with_texts(rows)


def with_texts(rows: QuerySet[Message]) -> "QuerySet[Any, Any]":
    """Return positions with the texts that requests contain: of parts, messages and calls."""
    return rows.order_by("position").values_list("position", "parts", "text", "tool_calls")

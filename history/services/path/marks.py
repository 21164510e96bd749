"""Pins and exclusions, by which people decide about single messages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from history.core.stages.marks import MOST_PINS
from history.models import Branch, Conversation, Message, MessageMark
from history.services.access import Actor, access_conversation
from history.services.errors import Conflict, NotFound
from history.services.path.queries import marks_in


@dataclass(frozen=True, slots=True)
class Marks:
    """The positions of the first messages of marked segments, on one path."""

    pins: frozenset[int] = frozenset()
    exclusions: frozenset[int] = frozenset()

    @property
    def positions(self) -> frozenset[int]:
        return self.pins | self.exclusions

    def of(self, message: Message) -> str | None:
        """Return the kind of mark on the message's segment; None if it is not marked."""
        places = {message.segment, message.position}
        kinds = {MessageMark.Kind.PIN: self.pins, MessageMark.Kind.EXCLUSION: self.exclusions}
        return next((str(kind) for kind, marked in kinds.items() if places & marked), None)

    def as_dict(self) -> dict[str, list[int]]:
        return {"pins": sorted(self.pins), "exclusions": sorted(self.exclusions)}

    @classmethod
    def from_dict(cls, data: dict[str, list[int]]) -> "Marks":
        return cls(frozenset(data.get("pins", ())), frozenset(data.get("exclusions", ())))


NO_MARKS = Marks()


def marks_on(branch: Branch) -> Marks:
    """Read the marks with one query, whatever the length of the path."""
    marks = marks_in(conversation=branch.conversation_id)
    spans = branch.spans()
    on_path = [(k, p) for k, b, p in marks if any(b == s and f <= p <= t for s, f, t in spans)]
    return Marks(
        _positions(on_path, MessageMark.Kind.PIN), _positions(on_path, MessageMark.Kind.EXCLUSION)
    )


def mark(actor: Actor, conversation_id: UUID, message_id: int, kind: str | None) -> Message:
    """Pin or exclude the segment of a message, or remove its mark if `kind` is None.

    Return the segment's first message. Raise NotFound, or Conflict if there are too many pins.
    """
    with transaction.atomic():
        conversation = access_conversation(actor, conversation_id, hold=True)
        head = _segment_head(conversation, message_id)
        _put(conversation, {head: kind})
        return head


def mark_all(
    actor: Actor, conversation_id: UUID, kinds: Mapping[int, str | None]
) -> dict[int, str | None]:
    """Mark several messages, all or none. Return the mark that each had before, to undo this."""
    with transaction.atomic():
        conversation = access_conversation(actor, conversation_id, hold=True)
        heads = {message_id: _segment_head(conversation, message_id) for message_id in kinds}
        rows = MessageMark.objects.filter(message__in=heads.values())
        before: dict[int, str] = dict(rows.values_list("message", "kind"))
        _put(conversation, {heads[message_id]: kind for message_id, kind in kinds.items()})
        return {message_id: before.get(head.pk) for message_id, head in heads.items()}


def _put(conversation: Conversation, kinds: Mapping[Message, str | None]) -> None:
    """Store the marks on the first messages of their segments."""
    MessageMark.objects.filter(message__in=kinds).delete()
    MessageMark.objects.bulk_create(
        MessageMark(conversation=conversation, message=head, kind=kind)
        for head, kind in kinds.items()
        if kind
    )
    if MessageMark.Kind.PIN in kinds.values():
        _refuse_too_many(conversation)


def _segment_head(conversation: Conversation, message_id: int) -> Message:
    message = Message.objects.filter(pk=message_id, conversation=conversation).first()
    if message is None:
        raise NotFound("message")
    if message.position == message.segment:
        return message
    rows = Message.objects.filter(branch=message.branch_id, position=message.segment)
    return rows.first() or message


def _refuse_too_many(conversation: Conversation) -> None:
    pins = MessageMark.objects.filter(conversation=conversation, kind=MessageMark.Kind.PIN)
    if pins.count() > MOST_PINS:
        sentence = _("You can pin at most {most} messages. Unpin one first.")
        raise Conflict("too_many", sentence.format(most=MOST_PINS))


def _positions(marks: Iterable[tuple[str, int]], kind: str) -> frozenset[int]:
    return frozenset(position for name, position in marks if name == kind)

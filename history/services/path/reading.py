"""Read a path of the transcript: its pages, its turns, and the places where it branches."""

from collections import defaultdict
from collections.abc import Iterable
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import F, Q

from history.models import ACTIVE, OPEN, Branch, Conversation, Generation, Message
from history.services.path.queries import written_by


def on_path(branch: Branch, through: int | None = None) -> Q:
    """Return the condition that a message is on the branch's path."""
    spans = branch.spans(through)
    conditions = [Q(branch=b, position__gte=first, position__lte=last) for b, first, last in spans]
    return reduce(or_, conditions, Q(pk__in=[]))


def newest_messages(branch: Branch, before: int | None, limit: int) -> list[Message]:
    """Return at most `limit` messages below position `before`, in path order, beginning with a
    turn.

    A single turn of more than `limit` messages is returned whole.
    """
    through = None if before is None else before - 1
    messages: list[Message] = []
    for span in branch.spans(through):
        rows = Message.objects.on_span(span).select_related("generation").order_by("-position")
        messages += rows[: limit + 1 - len(messages)]
        if len(messages) > limit:
            return _whole_turns(branch, messages[::-1])
    return messages[::-1]


def _whole_turns(branch: Branch, messages: list[Message]) -> list[Message]:
    """Drop a partial turn: one more row was read to tell whether the page begins inside a turn."""
    first, rest = messages[0], messages[1:]
    whole = [message for message in rest if message.turn > first.turn]
    return whole or turn_messages(branch, first.turn)


def following_messages(branch: Branch, first: int, before: int, limit: int) -> list[Message]:
    """Return at most `limit` messages from position `first`, where a turn begins, in whole turns.

    All are below position `before`. A single turn of more than `limit` is returned whole.
    """
    messages: list[Message] = []
    for owner, start, last in reversed(branch.spans(before - 1)):
        if last >= first:
            rows = Message.objects.on_span((owner, max(start, first), last))
            messages += rows.select_related("generation").order_by("position")[
                : limit + 1 - len(messages)
            ]
    if len(messages) <= limit:
        return messages
    whole = [message for message in messages if message.turn < messages[-1].turn]
    return whole or turn_messages(branch, messages[0].turn)


def turn_messages(branch: Branch, turn: int) -> list[Message]:
    """Return all messages on the path that belong to a turn."""
    rows = Message.objects.filter(on_path(branch), turn=turn).select_related("generation")
    return list(rows.order_by("position"))


def messages_of(generation: Generation) -> list[Message]:
    """Return a generation's own messages in path order."""
    messages = written_by(generation=generation.pk)
    for message in messages:
        message.generation = generation
    return messages


def message_at(branch: Branch, position: int) -> Message | None:
    return Message.objects.filter(on_path(branch), position=position).first()


def user_message_of(branch: Branch, turn: int) -> Message | None:
    """Return the user message with which the turn began."""
    return (
        Message.objects.filter(on_path(branch), turn=turn, role="user").order_by("position").first()
    )


def siblings(conversation: Conversation, branch: Branch) -> dict[int, list[int]]:
    """Find where other branches part from this path: by position, the branches to choose from,
    oldest first.

    Two branches are siblings at a position if they agree on everything before it. Each choice is
    the newest branch that continues from there, so that it leads to the end of that branch.
    """
    branches = list(conversation.branches.order_by("pk"))
    choices: dict[int, dict[int, int]] = defaultdict(dict)
    paths = {other.pk: other.spans() for other in branches}
    for other in branches:
        for position in _forks(branch, other):
            owner = _owner(paths[other.pk], position)
            if owner is not None:
                choices[position][owner] = other.pk
    for position, by_owner in choices.items():
        by_owner[_owner(paths[branch.pk], position) or branch.pk] = branch.pk
    return {p: sorted(by.values()) for p, by in sorted(choices.items()) if len(by) > 1}


def _forks(branch: Branch, other: Branch) -> list[int]:
    """Find the positions at which two paths part, as far as both reach."""
    mine = [*map(tuple, branch.lineage), (branch.pk, None)]
    theirs = [*map(tuple, other.lineage), (other.pk, None)]
    start = 0
    for (a, a_last), (b, b_last) in zip(mine, theirs, strict=False):
        if a != b:
            return [start]
        if a_last != b_last:
            ends = [last for last in (a_last, b_last) if last is not None]
            return [min(ends) + 1]
        start = (a_last or 0) + 1
    return []


def _owner(spans: list[tuple[int, int, int]], position: int) -> int | None:
    return next((b for b, first, last in spans if first <= position <= last), None)


def active_generation(conversation: Conversation) -> Generation | None:
    return conversation.generations.filter(status__in=ACTIVE).first()


def open_answers(conversations: Iterable[UUID]) -> list[tuple[UUID, str]]:
    """Return the status of each answer in these chats that is written, waits for its turn or, on
    the open branch, for a person's decision.
    """
    rows = Generation.objects.filter(conversation__in=list(conversations), status__in=OPEN)
    condition = Q(status__in=ACTIVE) | Q(branch=F("conversation__branch"))
    return list(rows.filter(condition).values_list("conversation", "status"))

"""`manage.py context pin|exclude|unmark|compact|undo`: mark a message, make or undo a summary."""

from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Callable, Mapping
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from django.core.management.base import CommandError

from chatapp.generation import summaries
from history.core.words.wording import place as place_of
from history.models import Checkpoint, CheckpointState, Conversation, MessageMark
from history.services.access import Actor
from history.services.errors import Refused
from history.services.path.marks import mark
from history.services.path.reading import message_at
from history.services.summaries.actions import begin_compact, taken_back, undo_newest

KINDS: Mapping[str, str | None] = {
    "pin": MessageMark.Kind.PIN,
    "exclude": MessageMark.Kind.EXCLUSION,
    "unmark": None,
}
HELP = {
    "pin": "always send a message and its segment, whatever the policy and the budget",
    "exclude": "never send a message and its segment",
    "unmark": "clear a pin or an exclusion",
    "compact": "summarise everything before the last turn",
    "undo": "undo the last summary",
}
DONE = {"pin": "pinned", "exclude": "excluded", "unmark": "neither pinned nor excluded"}


def add_parsers(actions: "_SubParsersAction[ArgumentParser]") -> None:
    for action, text in HELP.items():
        parser = actions.add_parser(action, help=text)
        parser.add_argument("conversation", help="its id, as in /chat/<id>")
        if action in KINDS:
            parser.add_argument("message", type=int, help="its number on the open branch, from 1")


def run(conversation: Conversation, options: Mapping[str, Any]) -> str:
    """Carry out the command's action, and return a sentence on what it did. Raise CommandError."""
    owner = Actor(conversation.owner, conversation.visitor)
    action = options["action"]
    try:
        if action in KINDS:
            return _marked(owner, conversation, action, options["message"])
        if action == "undo":
            return taken_back(undo_newest(owner, conversation.pk))
        return _compacted(owner, conversation)
    except Refused as refusal:
        raise CommandError(refusal.message) from refusal


def _marked(owner: Actor, conversation: Conversation, action: str, place: int) -> str:
    branch = conversation.branch
    message = message_at(branch, place - 1) if branch and 1 <= place <= 2**31 else None
    if message is None:
        raise CommandError(
            f"Conversation {conversation.pk} has no message {place}; they count from 1."
        )
    head = mark(owner, conversation.pk, message.pk, KINDS[action])
    who = f"Message {place_of(head.position)} ({head.role}, turn {head.turn})"
    return f"{who} and its segment are {DONE[action]} from the next request on."


def _compacted(owner: Actor, conversation: Conversation) -> str:
    job = begin_compact(owner, conversation.pk)
    row: Checkpoint | None = async_to_sync(summaries.write_summary)(job, _aside)
    if row is None or row.state != CheckpointState.READY:
        raise CommandError(row.outcome if row else "The conversation has been deleted.")
    return row.outcome


async def _aside(function: Callable[..., Any], *args: Any) -> Any:
    return await sync_to_async(function)(*args)

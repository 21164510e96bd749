"""`manage.py context pin|exclude|unmark`: a person's word on a message, given by its position."""

from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Mapping
from types import MappingProxyType

from django.core.management.base import CommandError

from history.models import Conversation, MessageMark
from history.services.access import Actor
from history.services.errors import Refused
from history.services.marks import mark
from history.services.reading import message_at

KINDS: Mapping[str, str | None] = MappingProxyType(
    {"pin": MessageMark.Kind.PIN, "exclude": MessageMark.Kind.EXCLUSION, "unmark": None}
)
HELP = {
    "pin": "send a message, with its segment, whatever policy and budget say",
    "exclude": "leave a message, with its segment, out of every request",
    "unmark": "take a pin or an exclusion back",
}
DONE = {"pin": "pinned", "exclude": "excluded", "unmark": "neither pinned nor excluded"}


def add_parsers(actions: "_SubParsersAction[ArgumentParser]") -> None:
    for action in KINDS:
        parser = actions.add_parser(action, help=HELP[action])
        parser.add_argument("conversation", help="its id, as in the address /chat/<id>")
        parser.add_argument("position", type=int, help="on the open branch; the first message is 0")


def mark_at(conversation: Conversation, action: str, position: int) -> str:
    """Do it, and say what was done. Raises CommandError."""
    branch = conversation.branch
    message = message_at(branch, position) if branch and 0 <= position < 2**31 else None
    if message is None:
        raise CommandError(f"There is no message at position {position} of {conversation.pk}.")
    owner = Actor(conversation.owner, conversation.visitor)
    try:
        head = mark(owner, conversation.pk, message.pk, KINDS[action])
    except Refused as refusal:
        raise CommandError(refusal.message) from refusal
    who = f"{head.role} message at position {head.position} (turn {head.turn})"
    return f"The {who} is {DONE[action]} from the next request on, with its whole segment."

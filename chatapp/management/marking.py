"""`manage.py context pin|exclude|unmark`: mark a message, given by its number."""

from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Mapping
from types import MappingProxyType

from django.core.management.base import CommandError

from history.core.wording import place as place_of
from history.models import Conversation, MessageMark
from history.services.access import Actor
from history.services.errors import Refused
from history.services.path.marks import mark
from history.services.path.reading import message_at

KINDS: Mapping[str, str | None] = MappingProxyType(
    {"pin": MessageMark.Kind.PIN, "exclude": MessageMark.Kind.EXCLUSION, "unmark": None}
)
HELP = {
    "pin": "always send a message and its segment, whatever the policy and the budget",
    "exclude": "never send a message and its segment",
    "unmark": "clear a pin or an exclusion",
}
DONE = {"pin": "pinned", "exclude": "excluded", "unmark": "neither pinned nor excluded"}


def add_parsers(actions: "_SubParsersAction[ArgumentParser]") -> None:
    for action in KINDS:
        parser = actions.add_parser(action, help=HELP[action])
        parser.add_argument("conversation", help="its id, as in /chat/<id>")
        parser.add_argument("message", type=int, help="its number on the open branch, from 1")


def mark_at(conversation: Conversation, action: str, place: int) -> str:
    """Do it, and say what was done. Raise CommandError."""
    branch = conversation.branch
    message = message_at(branch, place - 1) if branch and 1 <= place <= 2**31 else None
    if message is None:
        raise CommandError(
            f"Conversation {conversation.pk} has no message {place}; they count from 1."
        )
    owner = Actor(conversation.owner, conversation.visitor)
    try:
        head = mark(owner, conversation.pk, message.pk, KINDS[action])
    except Refused as refusal:
        raise CommandError(refusal.message) from refusal
    who = f"Message {place_of(head.position)} ({head.role}, turn {head.turn})"
    return f"{who} and its segment are {DONE[action]} from the next request on."

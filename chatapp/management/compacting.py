"""`manage.py context compact|undo`: make a summary at once, or undo the newest one."""

from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Callable
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from django.core.management.base import CommandError

from chatapp.generation import summaries
from history.models import Checkpoint, CheckpointState, Conversation
from history.services.access import Actor
from history.services.errors import Refused
from history.services.summaries.actions import begin_compact, taken_back, undo_newest
from history.services.summaries.writing import make

HELP = {
    "compact": "summarise everything before the last exchange",
    "undo": "undo the last summary",
}


def add_parsers(actions: "_SubParsersAction[ArgumentParser]") -> None:
    for action, text in HELP.items():
        parser = actions.add_parser(action, help=text)
        parser.add_argument("conversation", help="its id, as in /chat/<id>")


def run(conversation: Conversation, action: str) -> str:
    """Do it, and say what was done. Raise CommandError."""
    owner = Actor(conversation.owner, conversation.visitor)
    try:
        return _undone(owner, conversation) if action == "undo" else _compacted(owner, conversation)
    except Refused as refusal:
        raise CommandError(refusal.message) from refusal


def _compacted(owner: Actor, conversation: Conversation) -> str:
    job = begin_compact(owner, conversation.pk)
    row: Checkpoint | None = async_to_sync(make)(job, summaries.summarise, _aside)
    if row is None or row.state != CheckpointState.READY:
        raise CommandError(row.outcome if row else "The conversation has been deleted.")
    return row.outcome


def _undone(owner: Actor, conversation: Conversation) -> str:
    return taken_back(undo_newest(owner, conversation.pk))


async def _aside(function: Callable[..., Any], *args: Any) -> Any:
    return await sync_to_async(function)(*args)

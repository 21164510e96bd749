"""What may be typed in the chat in the place of a message. `/config` is the page's own."""

import asyncio
from uuid import UUID

from chatapp import summaries
from chatapp.viewers import Frame, viewers
from history.models import Checkpoint
from history.services.access import Actor
from history.services.errors import Conflict

COMPACT, HELP = "/compact", "/help"
HELP_TEXT = (
    "/compact has all but the newest exchange summarised now. /config opens the settings of this"
    " chat. /help shows this."
)


def is_command(text: str) -> bool:
    """A command is typed alone."""
    return text.strip() in {COMPACT, HELP}


async def run(actor: Actor, text: str, conversation: UUID | None) -> str:
    """Carry it out, or begin to: a sentence for its sender. Raises Refused."""
    if text.strip() == HELP:
        return HELP_TEXT
    if conversation is None:
        raise Conflict("nothing", "This chat has not begun, so there is nothing to summarise.")
    task = await summaries.compact(actor, conversation)
    task.add_done_callback(lambda done: _tell(conversation, done))
    return "A summary is being made. You can go on meanwhile."


def notice(message: str, client_msg_id: UUID | None = None) -> Frame:
    """A sentence as a socket takes it, with the id of the frame that it answers."""
    answered = str(client_msg_id) if client_msg_id else None
    return {"type": "notice", "client_msg_id": answered, "message": message}


def _tell(conversation: UUID, done: asyncio.Task[Checkpoint | None]) -> None:
    """Everybody who looks at the chat; nobody where the chat is gone, or the server stops."""
    if not done.cancelled() and done.exception() is None and (row := done.result()):
        viewers.show(conversation, notice(row.outcome))

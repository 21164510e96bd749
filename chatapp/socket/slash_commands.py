"""Commands that people can type in the chat instead of a message.

A command is a slash and a word, in upper or lower case; only `/undo` may be followed by the number
of a summary. A known word counts as a command even if other words follow or a space precedes it,
but is then refused. The page itself handles `/context` and `/config`.
"""

import asyncio
import re
from uuid import UUID

from django.utils.translation import gettext as _

from chatapp.databases.threads import in_database
from chatapp.generation import summaries
from chatapp.live.viewers import Frame, summary_frame, viewers
from chatapp.pages.commands import COMMANDS, ESCAPE, help_text
from history.core.words.wording import LONGEST_NAME, nearest, printable
from history.models import Checkpoint, CheckpointState
from history.services.access import Actor
from history.services.errors import Conflict, Refused
from history.services.summaries.actions import taken_back, undo, undo_newest

KNOWN = tuple(command.typed for command in COMMANDS)
COMMAND = re.compile(r"/[A-Za-z][\w-]*")
LONGER = re.compile(rf"({'|'.join(KNOWN)})\s.+", re.DOTALL | re.IGNORECASE)
SPACED = re.compile(rf"/\s+({'|'.join(command.name for command in COMMANDS)})", re.IGNORECASE)
UNDO = re.compile(r"/undo ([0-9]+)", re.IGNORECASE)  # The number of the summary to undo.
LONGEST_NUMBER = 18  # In digits: all databases can store such a number.


def is_command(text: str) -> bool:
    """Return whether a text is a command.

    A text with more words is a command only if it begins with a known one; paths and comments are
    no commands.
    """
    return any(form.fullmatch(text.strip()) for form in (COMMAND, LONGER, SPACED))


def unescaped(text: str) -> str:
    """Return the text of a message. If it begins with two slashes, so as not to be taken for a
    command, remove one of them.
    """
    rest = text.lstrip()
    return rest[1:] if rest.startswith("//") and is_command(rest[1:]) else text


async def run(actor: Actor, text: str, conversation: UUID | None) -> str:
    """Carry out or begin a command; return a sentence for its sender. Raise Refused."""
    command = text.strip()
    if (longer := LONGER.fullmatch(command)) and not UNDO.fullmatch(command):
        sentence = _("{command} takes no more words.").format(command=longer[1])
        raise Refused("unknown_command", f"{sentence} {ESCAPE}")
    match "" if SPACED.fullmatch(command) else command.split()[0].lower():
        case "/help":
            return help_text()
        case "/context" | "/config":
            return _("{command} works only in the browser.").format(command=command.lower())
        case "/undo":
            return await _undo(actor, _begun(conversation), UNDO.fullmatch(command))
        case "/compact":
            return await _compact(actor, _begun(conversation))
    raise Refused("unknown_command", f"{_unknown(printable(command, LONGEST_NAME))} {ESCAPE}")


def _unknown(command: str) -> str:
    """Say that there is no such command, and name a similar one or all. (The page points to its
    list.)
    """
    if near := nearest(command, KNOWN):
        text = _("There is no command {command}, so nothing was sent. Did you mean {near}?")
        return text.format(command=command, near=near)
    text = _("There is no command {command}, so nothing was sent. The commands are {known}.")
    return text.format(command=command, known=", ".join(KNOWN))


def notice(message: str, client_msg_id: UUID | None = None, undo: str = "") -> Frame:
    """Make a frame of a sentence, with the id of the frame that it answers, and the command that
    undoes what it reports.
    """
    answered = str(client_msg_id) if client_msg_id else None
    return {"type": "notice", "client_msg_id": answered, "message": message, "undo": undo}


def _begun(conversation: UUID | None) -> UUID:
    if conversation is None:
        raise Conflict("nothing", _("There is nothing to summarise or undo in a new chat."))
    return conversation


async def _compact(actor: Actor, conversation: UUID) -> str:
    task = await summaries.compact(actor, conversation)
    task.add_done_callback(lambda done: _tell(conversation, done))
    return _("Writing a summary. You can keep chatting.")


async def _undo(actor: Actor, conversation: UUID, argument: re.Match[str] | None) -> str:
    """Undo the newest summary. If the command names another one, do nothing, so that nobody undoes
    a summary by mistake.
    """
    if argument and len(argument[1]) > LONGEST_NUMBER:
        raise Refused("invalid", _("There is no summary with this number."))
    if argument:
        row = await in_database(undo, actor, conversation, int(argument[1]))
    else:
        row = await in_database(undo_newest, actor, conversation)
    viewers.show(conversation, summary_frame(conversation))
    return taken_back(row)


def _tell(conversation: UUID, done: asyncio.Task[Checkpoint | None]) -> None:
    """Tell all viewers of a chat whether its summary was written.

    Tell nobody if the chat no longer exists, or if the server stops.
    """
    if not done.cancelled() and done.exception() is None and (row := done.result()):
        taken_back = f"/undo {row.pk}" if row.state == CheckpointState.READY else ""
        viewers.show(conversation, notice(row.outcome, undo=taken_back))

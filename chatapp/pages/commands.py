"""The chat's commands, as the completion, the help and the socket's answer describe them.

chatapp/socket/slash_commands.py carries out each of them, except for those of the page itself in
static/js/commands.js.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ESCAPE = _("To send a message that starts with a slash, type two: //word is sent as /word.")


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command. `does` says what it does, without a full stop."""

    name: str
    does: "StrOrPromise"

    @property
    def typed(self) -> str:
        return f"/{self.name}"


COMMANDS = (
    SlashCommand("context", _("Open the inspector: what the model saw, and why")),
    SlashCommand("config", _("Change this chat's settings")),
    SlashCommand("compact", _("Summarise everything before your last turn")),
    SlashCommand("undo", _("Undo the last summary")),
    SlashCommand("help", _("Show this list")),
)


def help_text() -> str:
    """Return the help on one line, for clients other than the page."""
    return " ".join([*(f"{command.typed}: {command.does}." for command in COMMANDS), str(ESCAPE)])

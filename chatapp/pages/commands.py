"""The chat's commands, as described in the completion, the help, and the socket's answer.

Each is carried out in chatapp/socket/slash_commands.py, the page's own in static/js/commands.js.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ESCAPE = _("To send a message that starts with a slash, type two: //word is sent as /word.")


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """`does` completes a sentence that starts with its name."""

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
    """Return one line, for clients without a page."""
    return " ".join([*(f"{command.typed}: {command.does}." for command in COMMANDS), str(ESCAPE)])

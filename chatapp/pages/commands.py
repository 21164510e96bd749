"""The chat's commands, as described in the completion, the help, and the socket's answer.

Each is carried out in chatapp/socket/slash_commands.py, the page's own in static/js/commands.js.
"""

from dataclasses import dataclass

ESCAPE = "To send a slash and a word as a message, double the slash: //word is sent as /word."


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """`does` completes a sentence that starts with its name."""

    name: str
    does: str

    @property
    def typed(self) -> str:
        return f"/{self.name}"


COMMANDS = (
    SlashCommand("context", "opens the inspector: what the model was sent, and why"),
    SlashCommand("config", "opens the settings of this chat"),
    SlashCommand("compact", "has all but the newest exchange summarised now"),
    SlashCommand("undo", "takes the newest summary back"),
    SlashCommand("help", "shows this list"),
)


def help_text() -> str:
    """Return one line, for clients without a page."""
    return " ".join([*(f"{command.typed} {command.does}." for command in COMMANDS), ESCAPE])

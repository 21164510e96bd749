"""Errors that refuse a command, with a sentence for the person who gave the command."""

from typing import ClassVar

from django.utils.translation import gettext_lazy as _

MISSING = {
    "agent": _("No such agent."),
    "answer": _("No such answer."),
    "attachment": _("No such file, or it was sent already. Attach it again."),
    "attached": _(
        "File {number} of this message was sent already, or is not kept any more. Remove it, and"
        " attach it again."
    ),
    "branch": _("No such branch."),
    "call": _("No such tool call."),
    "conversation": _("No such chat."),
    "file": _("No such file."),
    "import": _("No such import."),
    "imports": _("Importing chats is turned off here."),
    "message": _("No such message."),
    "network": _("No such network."),
    "page": _("No such page."),
    "plan": _("No such plan."),
    "summary": _("No such summary."),
}


class Refused(Exception):
    """The command was refused, and changed nothing. `code` is for programs, the text for people."""

    status: ClassVar[int] = 422

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotFound(Refused):
    """The object does not exist, or this person may not see it; both cases look the same."""

    status = 404

    def __init__(self, what: str = "conversation", **figures: object) -> None:
        super().__init__("not_found", str(MISSING[what]).format(**figures))


class Conflict(Refused):
    """The state has changed since the person gave the command."""

    status = 409


def still_writing() -> Conflict:
    """Return the error for a command that can't be carried out while an answer is being written."""
    text = _("An answer is still being written in this chat. Wait for it, or stop it.")
    return Conflict("busy", str(text))

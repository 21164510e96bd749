"""An export as a person asked for it: which chats, and in which format."""

from dataclasses import dataclass
from datetime import UTC, tzinfo
from enum import StrEnum
from uuid import UUID

from django.utils.translation import gettext as _

from chatapp.exports.markdown import Style, as_markdown
from history.models import Conversation
from history.services.access import Actor
from history.services.errors import NotFound
from history.services.exports.exporting import (
    Download,
    all_exported,
    exported,
    own_chats,
    readable_chat,
)
from history.services.exports.form import Form, as_json
from history.services.exports.reader import ExportReader


class FormName(StrEnum):
    MARKDOWN = "markdown"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """The format of an export, as a person asked for it.

    `thoughts` and `zone` apply to Markdown only: JSON has all thoughts, and its times are UTC.
    """

    form: FormName
    thoughts: bool = True
    zone: tzinfo = UTC

    def form_for(self, actor: Actor | None, person: str = "") -> Form:
        """Return the form, limited to what this actor may read; None is an operator at a terminal.

        `person` names the owner of the chats; it is empty if they belong to the reader.
        """
        if self.form is FormName.JSON:
            return as_json(ExportReader(actor))
        return as_markdown(Style(self.zone, person, self.thoughts))


def one(actor: Actor, conversation: UUID, choice: ExportChoice) -> Download:
    """Export a chat that the actor may read. Raise NotFound."""
    chats = readable_chat(actor, conversation)
    person = "" if actor.owns(chats[0]) else owner_of(chats[0])
    return exported(chats, choice.form_for(actor, person))


def everything(actor: Actor, choice: ExportChoice) -> Download:
    """Export all of the actor's own chats. Raise NotFound if the actor is nobody."""
    if actor.is_nobody:
        raise NotFound
    return all_exported(own_chats(actor), choice.form_for(actor))


def owner_of(conversation: Conversation) -> str:
    return conversation.owner.get_username() if conversation.owner else _("A visitor")

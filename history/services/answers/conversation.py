"""Name a conversation and choose its open branch."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from history.models import Conversation
from history.services.access import Actor, access_conversation
from history.services.errors import Conflict, NotFound
from history.services.path.reading import active_generation
from history.services.texts import checked_title

TITLE_LENGTH = 60
BUSY = _("Wait for the answer, or stop it, before switching branches.")


def title_of(text: str) -> str:
    """Make a title from its first message: the first line, cut at a word."""
    line = text.strip().splitlines()[0].strip()
    if len(line) <= TITLE_LENGTH:
        return line
    return line[:TITLE_LENGTH].rsplit(" ", 1)[0].rstrip(" ,;:.") + "\N{HORIZONTAL ELLIPSIS}"


@transaction.atomic
def rename_conversation(actor: Actor, conversation_id: UUID, title: str) -> Conversation:
    """Raise Refused if it cannot have this title."""
    conversation = access_conversation(actor, conversation_id, hold=True)
    conversation.title = checked_title(title)
    conversation.save(update_fields=["title"])
    return conversation


@transaction.atomic
def open_branch(actor: Actor, conversation_id: UUID, branch_id: int) -> Conversation:
    """Show this branch and continue on it from now on. Raise NotFound, and Conflict while an
    answer is being written.
    """
    conversation = access_conversation(actor, conversation_id, hold=True)
    if active_generation(conversation):
        raise Conflict("busy", str(BUSY))
    conversation.branch = conversation.branches.filter(pk=branch_id).first()
    if conversation.branch is None:
        raise NotFound("branch")
    conversation.save(update_fields=["branch"])
    return conversation

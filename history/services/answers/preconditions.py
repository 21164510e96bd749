"""Conditions for changing a conversation: no answer is being written, and no message came
meanwhile.
"""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from history.models import OPEN, Branch, Conversation, Generation, Message
from history.services.errors import Conflict, NotFound, still_writing
from history.services.prepared import field, prepared
from history.services.settings.answerer import refuse_delegated


def refuse_unless_free(conversation: Conversation) -> list[Generation]:
    """Return the generations that wait for a person. Raise Conflict while any is active, or if an
    agent began the conversation.
    """
    refuse_delegated(conversation)
    opened = opened_in(conversation=conversation.pk)
    active = next((generation for generation in opened if generation.is_active), None)
    if active and active.is_experiment:
        sentence = _(
            "The model is being asked under other settings (What-if). Wait for its answer, or stop"
            " it there."
        )
        raise Conflict("busy", sentence)
    if active:
        raise still_writing()
    return opened


@prepared(conversation=field(Generation, "conversation"))
def opened_in(conversation: Any) -> QuerySet[Generation]:
    return Generation.objects.filter(conversation=conversation, status__in=OPEN)


def refuse_moved_on(newest: Message | None, head: int | None) -> None:
    if head is not None and head != (newest.position if newest else -1):
        sentence = _("There are new messages from another tab. Check them and send again.")
        raise Conflict("moved_on", sentence)


def on_path(branch: Branch, message_id: int) -> Message:
    message = Message.objects.filter(pk=message_id, conversation=branch.conversation_id).first()
    if message is None or message.role != "user":
        raise NotFound("message")
    if not any(b == message.branch_id and f <= message.position <= t for b, f, t in branch.spans()):
        raise Conflict("moved_on", _("That message is not on the branch you are viewing."))
    return message

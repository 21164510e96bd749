"""A follow-up: a message written while an answer is being written, and sent when that answer is
done.

If the answer fails, is stopped, is interrupted or needs approval, the follow-up waits until its
author sends it; so does a follow-up that reaches the server only after such an end.
"""

from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from history.models import OPEN, Conversation, FollowUp, Generation, GenerationStatus
from history.services.access import Actor, access_conversation
from history.services.answers.commands import KeepFollowUp, Send
from history.services.answers.queueing import Ack, Admit
from history.services.answers.sending import send
from history.services.errors import Conflict
from history.services.prepared import field, prepared
from history.services.settings.answerer import refuse_delegated
from history.services.texts import checked_text


def keep(actor: Actor, command: KeepFollowUp) -> Conversation:
    """Keep the text, once for each `client_msg_id`; append it to a follow-up that already waits."""
    text, client_id = checked_text(command.text), str(command.client_msg_id)
    sent_as = uuid5(command.conversation, client_id)
    with transaction.atomic():
        conversation = access_conversation(actor, command.conversation, hold=True)
        refuse_delegated(conversation)
        if conversation.messages.filter(client_msg_id=sent_as).exists():
            return conversation
        row = in_conversation(conversation.pk) or FollowUp(id=sent_as, conversation=conversation)
        if client_id not in row.ids:
            row.text = checked_text(f"{row.text}\n\n{text}" if row.text else text)
            row.ids = [*row.ids, client_id]
            row.model, row.query = command.model, command.query
            row.save()
    return conversation


def in_conversation(conversation_id: UUID) -> FollowUp | None:
    return waiting_in.first(conversation=conversation_id)


@prepared(conversation=field(FollowUp, "conversation"))
def waiting_in(conversation: Any) -> QuerySet[FollowUp]:
    return FollowUp.objects.select_related("conversation__owner").filter(conversation=conversation)


def take_back(actor: Actor, conversation_id: UUID) -> str:
    """Withdraw the follow-up and return its text. Raise Conflict if none waits any more."""
    with transaction.atomic():
        row = _held(access_conversation(actor, conversation_id, hold=True))
        row.delete()
    return row.text


def send_now(actor: Actor, conversation_id: UUID, admit: Admit) -> Ack:
    """Send the follow-up now, as its author asks, even if that gives up an awaited approval."""
    with transaction.atomic():
        return _sent(actor, access_conversation(actor, conversation_id, hold=True), admit)


def send_by_itself(conversation_id: UUID, admit: Admit) -> Ack | None:
    """Send a waiting follow-up in its author's name, if the answer before it is done and no answer
    is open.
    """
    with transaction.atomic():
        rows = Conversation.objects.select_for_update().filter(pk=conversation_id)
        conversation = rows.first()
        if conversation is None or in_conversation(conversation_id) is None:
            return None
        if not _is_answered(conversation):
            return None
        return _sent(Actor(conversation.owner, conversation.visitor), conversation, admit)


def _is_answered(conversation: Conversation) -> bool:
    """Whether the newest answer is done, and none is open. An answer that ended otherwise can be
    continued until a message is sent.
    """
    answers = conversation.generations.exclude(kind=Generation.Kind.WHAT_IF)
    newest = answers.order_by("created").last()
    is_done = newest is None or newest.status == GenerationStatus.DONE
    return is_done and not conversation.generations.filter(status__in=OPEN).exists()


def _sent(actor: Actor, conversation: Conversation, admit: Admit) -> Ack:
    row = _held(conversation)
    command = Send(
        text=row.text,
        client_msg_id=row.pk,
        conversation=conversation.pk,
        model=row.model,
        query=row.query,
    )
    ack = send(actor, command, admit)
    row.delete()
    return ack


def _held(conversation: Conversation) -> FollowUp:
    row = in_conversation(conversation.pk)
    if row is None:
        raise Conflict("nothing", _("That message was already sent or removed."))
    return row

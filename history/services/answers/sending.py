"""A person's commands to a conversation: send, retry, continue. Each is one transaction."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from history.models import Branch, Conversation, Generation, GenerationStatus
from history.services.access import (
    Actor,
    access_conversation,
    access_generation,
    visible_conversations,
)
from history.services.answers.chats.titles import shortened
from history.services.answers.commands import Send
from history.services.answers.conversation import begin, first_id
from history.services.answers.lifecycle import end
from history.services.answers.preconditions import refuse_moved_on, refuse_unless_free
from history.services.answers.queueing import (
    Ack,
    Admit,
    admit_all,
    branch_of,
    earlier_ack,
    fork,
    queue,
    with_parts,
)
from history.services.errors import Conflict, NotFound
from history.services.media.attaching import lock_attachments, parts_of
from history.services.path.appending import NewMessage, head_of, user_message
from history.services.path.reading import user_message_of
from history.services.settings.beginning import without_settings
from history.services.settings.choosing import take_choice
from history.services.texts import checked_text


def send(actor: Actor, command: Send, admit: Admit = admit_all) -> Ack:
    """Store the text and queue its answer, once for each `client_msg_id`.

    `admit` is called with the size of the text that would be stored; it raises `Refused` to prevent
    the storing.
    """
    text = checked_text(command.text, may_be_empty=bool(command.attachments))
    new = user_message(text, command.client_msg_id)
    with transaction.atomic():
        conversation = _conversation_of(actor, command, new)
        if conversation is None:
            if first := _first(actor, command, new, admit):
                return first
            conversation = access_conversation(actor, first_id(actor, new), hold=True)
        if earlier := earlier_ack(conversation, new, command.attachments):
            return earlier
        waiting = refuse_unless_free(conversation)
        branch = branch_of(conversation)
        head = head_of(branch)
        refuse_moved_on(head, command.head)
        given_up = _give_up_waiting(conversation, branch, waiting)
        take_choice(conversation, branch, command.model)
        after = None if given_up else head  # Giving up the answer may have added messages.
        files = lock_attachments(actor, command.attachments)
        new = with_parts(new, parts_of(files))
        admit(new.size)
        ack = queue(actor, conversation, branch, command.query, new, files=files, after=after)
        return replace(ack, given_up=given_up)


def retry(
    actor: Actor, conversation_id: UUID, generation_id: UUID, query: str, admit: Admit = admit_all
) -> Ack:
    """Answer the same user message again. Earlier answers stay, on their own branches."""
    with transaction.atomic():
        conversation, generation = _own_generation(actor, conversation_id, generation_id)
        return _asked_again(actor, conversation, generation.turn, query, admit)


def answer_again(
    actor: Actor, conversation_id: UUID, turn: int, query: str, admit: Admit = admit_all
) -> Ack:
    """Retry an answer without a generation, which came from an imported file."""
    with transaction.atomic():
        conversation = access_conversation(actor, conversation_id, hold=True)
        refuse_unless_free(conversation)
        return _asked_again(actor, conversation, turn, query, admit)


def _asked_again(
    actor: Actor, conversation: Conversation, turn: int, query: str, admit: Admit
) -> Ack:
    branch = branch_of(conversation)
    message = user_message_of(branch, turn)
    if message is None:
        raise Conflict("moved_on", _("That answer is not on the branch you are viewing."))
    admit(0)
    head = head_of(branch)
    if head is None or head.pk != message.pk:
        branch = fork(conversation, branch, message.position)
    return queue(actor, conversation, branch, query, parts=message.as_core().parts, turn=turn)


def continue_(
    actor: Actor, conversation_id: UUID, generation_id: UUID, query: str, admit: Admit = admit_all
) -> Ack:
    """Go on after the newest answer: its text is kept, and a further message follows."""
    with transaction.atomic():
        conversation, generation = _own_generation(actor, conversation_id, generation_id)
        branch = branch_of(conversation)
        head = head_of(branch)
        if generation.is_waiting:
            raise Conflict("waiting", _("Decide on its tool calls first, or stop the answer."))
        if head is None or head.generation_id != generation.pk or head.role == "user":
            raise Conflict("moved_on", _("Only the latest answer can be continued."))
        admit(0)
        kind = Generation.Kind.CONTINUE
        return queue(actor, conversation, branch, query, turn=generation.turn, kind=kind)


def _conversation_of(actor: Actor, command: Send, new: NewMessage) -> Conversation | None:
    """Return the conversation; None if the message is its first one."""
    if command.conversation:
        return access_conversation(actor, command.conversation, hold=True)
    if actor.is_nobody:
        raise NotFound
    key = first_id(actor, new)
    if visible_conversations(actor).filter(pk=key).exists():
        return access_conversation(actor, key, hold=True)  # The message was sent again.
    return None


def _first(actor: Actor, command: Send, new: NewMessage, admit: Admit) -> Ack | None:
    """Begin a conversation; return None if another call with the same command has just begun it."""
    refuse_moved_on(None, command.head)
    conversation = begin(actor, new, command)
    if conversation is None:
        return None
    files = lock_attachments(actor, command.attachments)
    if not conversation.title:
        conversation.title = shortened(files[0].name)
        conversation.save(update_fields=["title"])
    new = with_parts(new, parts_of(files))
    admit(new.size)
    query = without_settings(command.query)
    return queue(actor, conversation, branch_of(conversation), query, new, files=files)


def _give_up_waiting(
    conversation: Conversation, branch: Branch, waiting: Sequence[Generation]
) -> Generation | None:
    """End the answer that awaits approval on this branch, if any: a message came instead of a
    decision.
    """
    here = next((each for each in waiting if each.branch_id == branch.pk), None)
    if here:
        here.conversation, here.branch = conversation, branch
        end(here, GenerationStatus.PASSED_OVER)
    return here


def _own_generation(
    actor: Actor, conversation_id: UUID, generation_id: UUID
) -> tuple[Conversation, Generation]:
    generation = access_generation(actor, conversation_id, generation_id, hold=True)
    refuse_unless_free(generation.conversation)
    return generation.conversation, generation

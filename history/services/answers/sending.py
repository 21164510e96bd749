"""What a person may do to a conversation: send, edit, retry, continue. Each is one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from history.core.parts import Part, attached_tokens
from history.models import (
    Attachment,
    Branch,
    Conversation,
    Generation,
    GenerationStatus,
    Message,
)
from history.services.access import (
    Actor,
    access_conversation,
    access_generation,
    visible_conversations,
)
from history.services.answers.commands import Edit, Send
from history.services.answers.conversation import begin, first_id, title_of
from history.services.answers.lifecycle import end
from history.services.answers.preconditions import (
    on_path,
    refuse_moved_on,
    refuse_unless_free,
)
from history.services.errors import Conflict, NotFound
from history.services.media.attaching import give, held, parts_of
from history.services.media.refusing import refuse_images
from history.services.path.appending import NewMessage, append, head_of, user_message
from history.services.path.reading import user_message_of
from history.services.settings.answerer import floor_on
from history.services.settings.choosing import take_choice
from history.services.settings.layers import snapshot_for
from history.services.texts import checked_text

Admit: TypeAlias = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Ack:
    """The server's reply to a command. `is_new` is false when it had been done before.

    `given_up` is the answer that waited for a decision when this message came instead.
    """

    conversation: Conversation
    generation: Generation
    message: Message | None
    is_new: bool = True
    given_up: Generation | None = None


def freely(size: int) -> None:
    """Admit everybody."""


def send(actor: Actor, command: Send, admit: Admit = freely) -> Ack:
    """Store the text and queue its answer, once for each `client_msg_id`.

    `admit` is called with the size of the text that would be stored; it raises `Refused` to prevent
    that.
    """
    text = checked_text(command.text, may_be_empty=bool(command.attachments))
    new = user_message(text, command.client_msg_id)
    with transaction.atomic():
        conversation = _conversation_of(actor, command, new)
        if conversation is None:
            if first := _first(actor, command, new, admit):
                return first
            conversation = access_conversation(actor, first_id(actor, new), hold=True)
        if earlier := _earlier(conversation, new):
            return earlier
        waiting = refuse_unless_free(conversation)
        branch = _branch(conversation)
        head = head_of(branch)
        refuse_moved_on(head, command.head)
        given_up = _give_up_waiting(conversation, branch, waiting)
        take_choice(conversation, branch, command.model)
        after = None if given_up else head  # Its end may have written to the path.
        files = held(actor, command.attachments)
        new = _with(new, parts_of(files))
        admit(new.size)
        ack = _queue(actor, conversation, branch, command.query, new, after=after)
        return replace(_give(files, ack), given_up=given_up)


def edit(actor: Actor, command: Edit, admit: Admit = freely) -> Ack:
    """Reword a message: a branch that leaves the path before it. It keeps its files."""
    new = user_message(checked_text(command.text), command.client_msg_id)
    with transaction.atomic():
        conversation = access_conversation(actor, command.conversation, hold=True)
        if earlier := _earlier(conversation, new):
            return earlier
        refuse_unless_free(conversation)
        branch = _branch(conversation)
        message = on_path(branch, command.message)
        new = _with(new, message.as_core().parts)
        admit(new.size)
        fork = _fork(conversation, branch, message.position - 1)
        return _queue(actor, conversation, fork, command.query, new)


def retry(
    actor: Actor, conversation_id: UUID, generation_id: UUID, query: str, admit: Admit = freely
) -> Ack:
    """Answer the same user message again. Earlier answers stay, on their own branches."""
    with transaction.atomic():
        conversation, generation = _own_generation(actor, conversation_id, generation_id)
        branch = _branch(conversation)
        asked = user_message_of(branch, generation.turn)
        if asked is None:
            raise Conflict("moved_on", _("That answer is not on the branch you are viewing."))
        admit(0)
        head = head_of(branch)
        if head is None or head.pk != asked.pk:
            branch = _fork(conversation, branch, asked.position)
        return _queue(actor, conversation, branch, query, turn=generation.turn)


def continue_(
    actor: Actor, conversation_id: UUID, generation_id: UUID, query: str, admit: Admit = freely
) -> Ack:
    """Go on after the newest answer: its text is kept, and a further message follows."""
    with transaction.atomic():
        conversation, generation = _own_generation(actor, conversation_id, generation_id)
        branch = _branch(conversation)
        head = head_of(branch)
        if generation.is_waiting:
            raise Conflict("waiting", _("Decide on its tool calls first, or stop the answer."))
        if head is None or head.generation_id != generation.pk or head.role == "user":
            raise Conflict("moved_on", _("Only the latest answer can be continued."))
        admit(0)
        kind = Generation.Kind.CONTINUE
        return _queue(actor, conversation, branch, query, turn=generation.turn, kind=kind)


def _conversation_of(actor: Actor, command: Send, new: NewMessage) -> Conversation | None:
    """Return the conversation; None if the message is its first one."""
    if command.conversation:
        return access_conversation(actor, command.conversation, hold=True)
    if actor.is_nobody:
        raise NotFound
    begun = first_id(actor, new)
    if visible_conversations(actor).filter(pk=begun).exists():
        return access_conversation(actor, begun, hold=True)  # Its ack was lost.
    return None


def _first(actor: Actor, command: Send, new: NewMessage, admit: Admit) -> Ack | None:
    """Begin a conversation; None if the same command has just begun it elsewhere."""
    refuse_moved_on(None, command.head)
    begun = begin(actor, new, command)
    if begun is None:
        return None
    files = held(actor, command.attachments)
    if not begun.title:
        begun.title = title_of(files[0].name)
        begun.save(update_fields=["title"])
    new = _with(new, parts_of(files))
    admit(new.size)
    return _give(files, _queue(actor, begun, _branch(begun), command.query, new))


def _with(new: NewMessage, parts: tuple[Part, ...]) -> NewMessage:
    return replace(new, parts=parts, tokens=new.tokens + attached_tokens(parts))


def _give(files: Sequence[Attachment], ack: Ack) -> Ack:
    if ack.message:
        give(files, ack.message)
    return ack


def _branch(conversation: Conversation) -> Branch:
    if conversation.branch is None:
        raise NotFound
    return conversation.branch


def _earlier(conversation: Conversation, new: NewMessage) -> Ack | None:
    message = conversation.messages.filter(client_msg_id=new.client_msg_id).first()
    if message is None:
        return None
    if message.text != new.text:
        raise Conflict("conflict", _("A different text was already sent with this id."))
    generation = conversation.generations.filter(branch=message.branch_id, turn=message.turn)
    return Ack(conversation, generation.earliest("created"), message, is_new=False)


def _give_up_waiting(
    conversation: Conversation, branch: Branch, waiting: Sequence[Generation]
) -> Generation | None:
    """Sending a message while a call awaits approval rejects the call."""
    here = next((each for each in waiting if each.branch_id == branch.pk), None)
    if here:
        here.conversation, here.branch = conversation, branch
        end(here, GenerationStatus.STOPPED, why="the user sent a message instead")
    return here


def _fork(conversation: Conversation, branch: Branch, through: int) -> Branch:
    lineage = branch.fork_lineage(through)
    return Branch.objects.create(conversation=conversation, lineage=lineage)


def _own_generation(
    actor: Actor, conversation_id: UUID, generation_id: UUID
) -> tuple[Conversation, Generation]:
    generation = access_generation(actor, conversation_id, generation_id, hold=True)
    refuse_unless_free(generation.conversation)
    return generation.conversation, generation


def _queue(  # noqa: PLR0913 -- the one place where all that a generation starts from meets
    actor: Actor,
    conversation: Conversation,
    branch: Branch,
    query: str,
    new: NewMessage | None = None,
    *,
    turn: int = 0,
    kind: Generation.Kind = Generation.Kind.ANSWER,
    after: Message | None = None,
) -> Ack:
    floor = floor_on(conversation, branch)
    snapshot = snapshot_for(conversation, floor.template, actor, query, floor.note)
    if new:
        refuse_images(snapshot["agent"]["model"], new.parts)
    message = append(branch, [new], head=after)[0] if new else None
    generation = Generation.objects.create(
        conversation=conversation,
        branch=branch,
        turn=message.turn if message else turn,
        kind=kind,
        snapshot=snapshot,
    )
    conversation.branch = branch
    conversation.active = timezone.now()
    conversation.save(update_fields=["branch", "active", "model"])
    return Ack(conversation, generation, message)

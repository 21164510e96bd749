"""A tab's commands on a follow-up, which is a message that waits until the present answer ends."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Any, TypeAlias
from uuid import UUID

from chatapp.databases.threads import in_database
from chatapp.generation import follow_ups, supervisor
from chatapp.generation.queue import answer_queue
from chatapp.live.viewers import Frame, summary_frame, viewers
from chatapp.socket import protocol, slash_commands
from chatapp.transcript.summary_line import may_have_line
from history.services.access import Actor
from history.services.answers import follow_ups as stored

FollowUpCommand: TypeAlias = protocol.FollowUp | protocol.Waiting


async def obey(actor: Actor, command: FollowUpCommand, person: str, address: str) -> Frame:
    """Carry out a command; show the waiting follow-up in all tabs; return the acknowledgement."""
    fields: dict[str, Any] = {}
    match command:
        case protocol.FollowUp():
            follow_up = command.model_copy(update={"text": slash_commands.unescaped(command.text)})
            conversation = await in_database(stored.keep, actor, follow_up)
            await follow_ups.show(conversation.pk)
            await follow_ups.send(conversation, supervisor.start)
        case protocol.Waiting(type="take_back"):
            text = await in_database(stored.take_back, actor, command.conversation)
            viewers.show(command.conversation, follow_ups.frame(command.conversation, None))
            fields = {"text": text}
        case _:
            await _send_now(actor, command, person, address)
    return {"type": "ack", "client_msg_id": str(command.client_msg_id), **fields}


async def shown_beside(conversation_id: UUID) -> AsyncIterator[Frame]:
    """Yield frames on what is not a message: the waiting follow-up, and news of a summary."""
    yield await in_database(follow_ups.frame_in, conversation_id)
    if await in_database(may_have_line, conversation_id):
        yield summary_frame(conversation_id)


async def _send_now(actor: Actor, command: FollowUpCommand, person: str, address: str) -> None:
    with answer_queue.admitting(person, address) as admit:
        send = partial(stored.send_now, actor, command.conversation, admit)
        ack = await in_database(send)
    if ack.given_up:
        await supervisor.give_up(ack.given_up)
    follow_ups.start_answer(ack, supervisor.start)

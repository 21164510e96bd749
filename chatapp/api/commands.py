"""API calls that start an answer, make or undo a summary, or delete a conversation."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Self, TypeVar
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Path, Router, Schema, Status
from pydantic import model_validator

from chatapp.api.generations import caller
from chatapp.databases.threads import in_database
from chatapp.generation import deleting, summaries, supervisor
from chatapp.generation.queue import answer_queue
from chatapp.limits.limits import Admission
from chatapp.live import chat_lists
from chatapp.live.viewers import summary_frame, viewers
from chatapp.server.client_address import address_of_request
from history.core.settings.layers import url_layer, validate
from history.core.settings.spec import LayerName
from history.models import CheckpointState
from history.records import checkpoint_record
from history.schemas import CheckpointOut, Identity, Incoming
from history.services.access import Actor
from history.services.answers import editing, sending
from history.services.answers.commands import (
    Attachments,
    Edit,
    Head,
    PartNumbers,
    Send,
    Slug,
    WantedModel,
)
from history.services.answers.queueing import Ack, Admit
from history.services.errors import NotFound
from history.services.settings.beginning import beginning_settings, with_settings
from history.services.summaries.actions import undo

C = TypeVar("C", Send, Edit)


class MessageIn(Incoming):
    """A person's text, which may be empty if there are `attachments`: the ids of uploaded files.
    `head` is the newest position they saw, so that no message is overlooked. `model` must be on the
    agent's list; an empty one changes nothing.
    """

    text: str
    client_msg_id: UUID
    model: WantedModel = ""
    attachments: Attachments = ()
    head: Head | None = None


class FirstMessageIn(MessageIn):
    """A first message, either to an agent or to a network. The conversation begins with
    `history_settings`.
    """

    agent: Slug = ""
    network: Slug = ""
    history_settings: dict[str, Any] = {}

    @model_validator(mode="after")
    def names_one(self) -> Self:
        if bool(self.agent) == bool(self.network):
            raise ValueError(_("name an agent or a network, one of the two"))
        return self


class EditIn(Incoming):
    """A message's new text, which may be empty if files remain. The message keeps its files, except
    those whose part numbers are in `without`, and gets `attachments` after them.
    """

    text: str
    client_msg_id: UUID
    without: PartNumbers = ()
    attachments: Attachments = ()


class AckOut(Schema):
    conversation: UUID
    generation: UUID
    message: int | None
    position: int | None
    is_new: bool


async def begin_conversation(request: HttpRequest, message: FirstMessageIn) -> dict[str, Any]:
    """Begin a conversation with its first message. The address's query may set history settings."""
    query = _checked_query(request)
    values = validate(LayerName.CONVERSATION, message.history_settings)
    own = {**beginning_settings(query).checked(), **values}
    fields = message.dict(exclude={"history_settings"})
    return await _do(request, sending.send, Send(**fields, query=with_settings(query, own)))


async def send_message(
    request: HttpRequest, conversation_id: UUID, message: MessageIn
) -> dict[str, Any]:
    """Store a message and start its answer; the same `client_msg_id` again gives the same ack."""
    query = _checked_query(request)
    command = Send(**message.dict(), conversation=conversation_id, query=query)
    return await _do(request, sending.send, command)


async def edit_message(
    request: HttpRequest, conversation_id: UUID, message_id: Path[Identity], message: EditIn
) -> dict[str, Any]:
    """Send a user message of the open branch again with other words or files, and start its
    answer. This starts a new branch; nothing is overwritten.
    """
    query = _checked_query(request)
    command = Edit(**message.dict(), conversation=conversation_id, message=message_id, query=query)
    return await _do(request, editing.edit, command)


async def delete_conversation(request: HttpRequest, conversation_id: UUID) -> Status[None]:
    """Delete the conversation for good. A running answer is stopped first."""
    await deleting.delete(caller(request), conversation_id)
    return Status(204, None)


async def make_checkpoint(request: HttpRequest, conversation_id: UUID) -> Status[dict[str, Any]]:
    """Summarise all but the newest turn, and answer when the summary has succeeded or failed, which
    its state says. It is completed even if the caller does not wait.
    """
    with admitting(request) as admit:
        await in_database(admit, 0)
    task = await summaries.compact(caller(request), conversation_id)
    row = await asyncio.shield(task)
    if row is None:
        raise NotFound
    applies = {row.pk} if row.state == CheckpointState.READY else ()
    return Status(201, checkpoint_record(row, applies))


async def undo_checkpoint(
    request: HttpRequest, conversation_id: UUID, checkpoint: Path[Identity]
) -> dict[str, Any]:
    """Undo the newest summary; the messages that it replaced are sent again. Its record stays."""
    row = await in_database(undo, caller(request), conversation_id, checkpoint)
    viewers.show(conversation_id, summary_frame(conversation_id))
    return checkpoint_record(row, ())


def _checked_query(request: HttpRequest) -> str:
    """Return the query. Raise for bad settings: only a page can show them and go on."""
    query: str = request.META.get("QUERY_STRING", "")
    validate(LayerName.URL, url_layer(query).values)
    return query


async def _do(
    request: HttpRequest, act: Callable[[Actor, C, Admit], Ack], command: C
) -> dict[str, Any]:
    with admitting(request) as admit:
        return await started(await in_database(act, caller(request), command, admit))


def admitting(request: HttpRequest) -> AbstractContextManager[Admission]:
    return answer_queue.admitting(caller(request).person, address_of_request(request))


async def started(ack: Ack) -> dict[str, Any]:
    if ack.given_up:
        await supervisor.give_up(ack.given_up)
    if ack.is_new:
        supervisor.start(ack.generation)
        await chat_lists.refresh(ack.generation)
    return {
        "conversation": ack.conversation.pk,
        "generation": ack.generation.pk,
        "message": ack.message.pk if ack.message else None,
        "position": ack.message.position if ack.message else None,
        "is_new": ack.is_new,
    }


def add_to(router: Router) -> None:
    """Add these calls to a router that already has other calls at the same addresses."""
    conversation = "/conversations/{conversation_id}"
    router.post("/conversations", response=AckOut)(begin_conversation)
    router.post(f"{conversation}/messages", response=AckOut)(send_message)
    router.post(f"{conversation}/messages/{{message_id}}/edit", response=AckOut)(edit_message)
    router.delete(conversation, response={204: None})(delete_conversation)
    router.post(f"{conversation}/checkpoints", response={201: CheckpointOut})(make_checkpoint)
    checkpoint = f"{conversation}/checkpoints/{{checkpoint}}"
    router.delete(checkpoint, response=CheckpointOut)(undo_checkpoint)

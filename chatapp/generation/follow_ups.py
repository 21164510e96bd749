"""Follow-ups: sent when the answer before them is done, and shown in tabs while they wait."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import TypeAlias
from uuid import UUID

from django.template.loader import render_to_string

from chatapp.databases.threads import in_database, repeatable
from chatapp.generation.queue import answer_queue
from chatapp.live.viewers import Frame, viewers
from history.models import Conversation, FollowUp, Generation, GenerationStatus
from history.services.access import person_of
from history.services.answers import follow_ups as stored
from history.services.answers.queueing import Ack
from history.services.errors import Refused

logger = logging.getLogger(__name__)
Start: TypeAlias = Callable[[Generation], None]
NO_ADDRESS = ""  # The sender's address was checked against limits when the text came.
EXCERPT = 400  # The most characters of a waiting follow-up that tabs show.
_sending: set[asyncio.Task[None]] = set()


async def followed(generation: Generation) -> Conversation | None:
    """Return the conversation if this answer is done and a follow-up waited for it."""
    if generation.status != GenerationStatus.DONE:
        return None
    row = await repeatable(stored.in_conversation, generation.conversation_id)
    return row.conversation if row else None


def begin(conversation: Conversation, start: Start) -> None:
    """Send the follow-up in a background task."""
    task = asyncio.create_task(send(conversation, start))
    _sending.add(task)
    task.add_done_callback(_sending.discard)


async def send(conversation: Conversation, start: Start) -> None:
    """Send a conversation's follow-up; if a limit refuses it, the follow-up keeps waiting."""
    try:
        with answer_queue.admitting(person_of(conversation), NO_ADDRESS) as admit:
            ack = await in_database(stored.send_by_itself, conversation.pk, admit)
    except Refused:
        return
    except Exception:
        logger.exception("The follow-up in %s was not sent", conversation.pk)
        return
    if ack:
        start_answer(ack, start)


def start_answer(ack: Ack, start: Start) -> None:
    """Start the answer to a follow-up, and show every tab that the follow-up no longer waits."""
    start(ack.generation)
    viewers.show(ack.conversation.pk, frame(ack.conversation.pk, None))
    viewers.show_list(person_of(ack.conversation))


async def show(conversation_id: UUID) -> None:
    """Show every tab of a conversation its waiting follow-up, or that none waits."""
    viewers.show(conversation_id, await in_database(partial(frame_in, conversation_id)))


def frame_in(conversation_id: UUID) -> Frame:
    return frame(conversation_id, stored.in_conversation(conversation_id))


def frame(conversation_id: UUID, row: FollowUp | None) -> Frame:
    context = {"excerpt": row.text[:EXCERPT], "count": len(row.ids)} if row else {}
    html = render_to_string("chat/follow_up.html", context) if row else ""
    return {"type": "follow_up", "conversation": str(conversation_id), "html": html}

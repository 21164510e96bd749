"""Show in people's lists of chats that an answer has begun or ended."""

import logging
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist

from chatapp.databases.threads import in_database
from chatapp.live.viewers import Viewer, viewers
from history.models import Generation
from history.services.access import Actor, person_of
from history.services.answers.conversation import see_answer

logger = logging.getLogger(__name__)


async def refresh(generation: Generation) -> None:
    """Make its person's tabs load the list again. Whatever fails, the answer goes on."""
    try:
        person = await in_database(_reader, generation)
    except Exception:
        logger.exception("Lists do not show the state of generation %s", generation.pk)
        return
    if person:
        viewers.show_list(person)


async def see(actor: Actor, conversation: UUID, viewer: Viewer) -> None:
    """Note that this tab shows its person the newest answer; their other tabs drop its sign."""
    if await in_database(see_answer, actor, conversation):
        viewers.show_list(viewer.person, but=viewer)


def _reader(generation: Generation) -> str:
    """Return whose list has the chat: nobody's if it is a delegated task, or is gone."""
    try:
        conversation = generation.conversation
    except ObjectDoesNotExist:
        return ""
    return "" if conversation.asked_by_id else person_of(conversation)

"""Show in people's lists of chats that an answer has begun or ended."""

import logging

from django.core.exceptions import ObjectDoesNotExist

from chatapp.databases.threads import in_database
from chatapp.live.viewers import viewers
from history.models import Generation
from history.services.access import person_of

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


def _reader(generation: Generation) -> str:
    """Return whose list has the chat: nobody's if it is a delegated task, or is gone."""
    try:
        conversation = generation.conversation
    except ObjectDoesNotExist:
        return ""
    return "" if conversation.asked_by_id else person_of(conversation)

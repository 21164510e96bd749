"""Find out what chats would cost under other settings, one chat at a time, while no answer is
written.

If an answer begins meanwhile, the comparison stops before its next request and starts over later.
If several processes share a database, each compares only the chats whose answers it wrote.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

from chatapp.databases.threads import in_database
from chatapp.limits.shared_places import COMPARISONS
from chatapp.limits.sharing import working_for
from history.models import Conversation, Generation
from history.services.whatif.advising import advise, is_due

logger = logging.getLogger(__name__)
PAUSE_SECONDS = 1.0  # The pause after a reply, since the person may be about to go on.


class Waiting(NamedTuple):
    """The newest generation of a waiting conversation, and whose shared place it holds."""

    generation: Generation
    whose: str


_waiting: dict[UUID, Waiting] = {}
_some = asyncio.Event()


class Interrupted(Exception):
    """An answer has begun, or the process ends."""


def after(generation: Generation) -> None:
    """Queue this reply's conversation, to check a little later whether a comparison is due. If no
    shared place is free, a later reply queues the conversation.
    """
    old_entry = _waiting.get(generation.conversation_id)
    entry = Waiting(generation, old_entry.whose if old_entry else working_for.get())
    if old_entry or COMPARISONS.enter(entry.whose):
        _waiting[generation.conversation_id] = entry
        _some.set()


async def watch(is_busy: Callable[[], bool]) -> None:
    """Compare waiting conversations, for as long as the process lives."""
    has_ended = False

    def check() -> None:
        if has_ended or is_busy():
            raise Interrupted

    try:
        while True:
            await _some.wait()
            await asyncio.sleep(PAUSE_SECONDS)
            if not is_busy():
                await _next(check)
    finally:
        has_ended = True


async def _next(check: Callable[[], None]) -> None:
    generation, whose = _waiting.pop(next(iter(_waiting)))
    COMPARISONS.leave(whose)
    try:
        await in_database(_advise, generation, check)
    except Interrupted:
        if generation.conversation_id not in _waiting and COMPARISONS.enter(whose):
            _waiting[generation.conversation_id] = Waiting(generation, whose)
    except Exception:
        logger.exception("Conversation %s was not compared", generation.conversation_id)
    if not _waiting:
        _some.clear()


def _advise(generation: Generation, check: Callable[[], None]) -> None:
    rows = Conversation.objects.select_related("agent", "network", "branch", "owner")
    conversation = rows.filter(pk=generation.conversation_id).first()
    if conversation and is_due(generation):
        advise(conversation, check)

"""Tell tabs, while an answer waits for a worker, how many answers are ahead of it."""

import asyncio
import logging
from collections.abc import Collection
from datetime import timedelta
from uuid import UUID
from weakref import WeakKeyDictionary

from django.utils import timezone

from chatapp.databases.threads import in_database
from chatapp.generation.queue import place_frame
from chatapp.live.elsewhere import elsewhere
from chatapp.live.viewers import Viewer, viewers
from chatapp.process import jobs, left_behind
from history.models import Generation

logger = logging.getLogger(__name__)
LOOK_SECONDS = 1.0
SOON = timedelta(seconds=0.5)  # Workers take most answers sooner; then no place is shown.
# By conversation: the waiting generation, and how many are ahead of it.
Places = dict[UUID, tuple[Generation, int]]
_told: WeakKeyDictionary[Viewer, tuple[UUID, int]] = WeakKeyDictionary()


async def watch() -> None:
    """Tell waiting chats their place in the queue until the process ends. While no tab shows a
    chat, nothing is looked up.
    """
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        followed = {viewer.conversation for viewer in viewers if viewer.conversation}
        try:
            _tell(await in_database(_places, followed) if followed else {})
        except Exception as error:
            logger.warning("Nobody can be told their place: %s", error)


def _places(followed: Collection[UUID]) -> Places:
    """Find the generations that wait in these conversations, each with the number ahead of it."""
    order = {job: ahead for ahead, job in enumerate(jobs.waiting())}
    if not order:
        return {}
    waiting = left_behind.for_workers().filter(
        conversation__in=followed, created__lt=timezone.now() - SOON
    )
    generations = [each for each in waiting if str(each.pk) in order and not each.is_aside]
    return {each.conversation_id: (each, order[str(each.pk)]) for each in generations}


def _tell(places: Places) -> None:
    """Tell each tab its place if that is new to it, unless the answer has begun meanwhile."""
    for viewer in viewers:
        if not (place := viewer.conversation and places.get(viewer.conversation)):
            continue
        generation, ahead = place
        has_begun = elsewhere.has_begun(generation.conversation_id, generation.pk)
        if not has_begun and _told.get(viewer) != (generation.pk, ahead):
            _told[viewer] = (generation.pk, ahead)
            viewer.show(place_frame(generation, ahead))

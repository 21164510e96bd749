"""Stop showing things, within seconds, to people who lost the right to see them.

The sessions of all open sockets are checked together: every few seconds, since another process may
have ended them, and soon after a change in this one.
"""

import asyncio
import logging
from contextlib import suppress

from chatapp.accounts.sessions import actor_of_session, actors_of_sessions
from chatapp.databases.threads import in_database
from chatapp.live.viewers import SIGNED_OUT, Rights, rights_of, viewers
from history.services.access import Actor

logger = logging.getLogger(__name__)
CHECK_SECONDS = 2.0
PAUSE_SECONDS = 0.5  # After a change. The browser that made it has its new cookie by then.
Shown = tuple[str, Rights]  # A session, and the rights of a socket when it was opened.
changed = asyncio.Event()  # Somebody signed out, or a user was saved or deleted.


async def watch() -> None:
    """Check for as long as the process lives."""
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), CHECK_SECONDS)
            await asyncio.sleep(PAUSE_SECONDS)
        changed.clear()
        try:
            await check()
        except Exception:  # The database will be back.
            logger.exception("The sessions of open sockets could not be checked")


async def check() -> None:
    """End the viewers whose sessions no longer have the same rights."""
    tabs = [(viewer, (viewer.session, viewer.rights)) for viewer in viewers if not viewer.code]
    if not tabs:
        return
    lost = await in_database(_lost, {shown for _, shown in tabs})
    for viewer, shown in tabs:
        if shown in lost:
            viewer.end(SIGNED_OUT)


def _lost(asked: set[Shown]) -> set[Shown]:
    """Return sessions that lost rights; one missed by the quick check is looked up singly."""
    found = actors_of_sessions({session for session, _ in asked})
    doubtful = {one for one in asked if rights_of(found.get(one[0], Actor())) != one[1]}
    return {one for one in doubtful if rights_of(actor_of_session(one[0])) != one[1]}

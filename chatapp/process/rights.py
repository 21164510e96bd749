"""Stop showing chats, within seconds, to people who have lost the right to see them.

The sessions of all open sockets are checked together: every few seconds, since another process may
have ended some, and soon after a change in this process.
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
# The pause after a change; by then the browser that made it has its new cookie.
PAUSE_SECONDS = 0.5
Shown = tuple[str, Rights]  # A session, and the rights that a socket had when it was opened.
changed = asyncio.Event()  # Set when somebody signs out, or when a user changes.


async def watch() -> None:
    """Check the sessions again and again, as long as the process lives."""
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), CHECK_SECONDS)
            await asyncio.sleep(PAUSE_SECONDS)
        changed.clear()
        try:
            await check()
        except Exception:  # At the next check the database may work again.
            logger.exception("The sessions of open sockets could not be checked")


async def check() -> None:
    """End the viewers whose sessions no longer have the rights that they had."""
    tabs = [(viewer, (viewer.session, viewer.rights)) for viewer in viewers if not viewer.code]
    if not tabs:
        return
    lost = await in_database(_lost, {pair for _, pair in tabs})
    for viewer, pair in tabs:
        if pair in lost:
            viewer.end(SIGNED_OUT)


def _lost(pairs: set[Shown]) -> set[Shown]:
    """Return the sessions that have lost rights. Those that the quick check cannot confirm are read
    again, one by one.
    """
    actors = actors_of_sessions({session for session, _ in pairs})
    doubtful = {one for one in pairs if rights_of(actors.get(one[0], Actor())) != one[1]}
    return {one for one in doubtful if rights_of(actor_of_session(one[0])) != one[1]}

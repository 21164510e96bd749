"""What the process does at its start, every half minute, and at its end."""

import asyncio
import logging
import threading
from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.conf import settings

from agents.providers import directory
from chatapp.accounts.sessions import clear_expired
from chatapp.databases.lock import keep_claim, others_serve
from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import summaries, supervisor
from chatapp.generation.runner import NAME, OWNER
from chatapp.generation.tools import mcp_sessions
from chatapp.llm import client
from chatapp.process import receivers, rights
from history.models import Generation
from history.services.answers import lifecycle as stored
from history.services.media.attaching import drop_forgotten
from history.services.media.keeping import drop_orphans, drop_strays
from history.services.summaries.writing import fail_abandoned

logger = logging.getLogger(__name__)
REAP_SECONDS = 30
CLAIM_SECONDS = 5
_tasks: list[asyncio.Task[None]] = []
_warm_up = threading.Thread(target=client.warm_up, name="warm-up", daemon=True)


async def startup() -> None:
    queued = await in_database(_take_over)
    receivers.serve_here()
    _tasks.extend(map(asyncio.create_task, (_reap_for_ever(), rights.watch(), _keep_claim())))
    await mcp_sessions.startup()
    _warm_up.start()
    for generation in queued:
        supervisor.start(generation)


async def shutdown() -> None:
    """Interrupt whatever still runs, keeping its text."""
    for task in _tasks:
        task.cancel()
    await supervisor.interrupt_all()
    await summaries.shutdown()
    await mcp_sessions.shutdown()
    # A process that exits while litellm is being imported may hang on the import lock.
    await asyncio.to_thread(_warm_up.join, 10)
    await client.close()
    await close_connections()


def _take_over() -> list[Generation]:
    """Interrupt what an earlier process left running, if this is the only one, and begin what that
    had not begun.

    Another connected process may still run it: then interrupt only what shows no life.
    """
    directory.load()
    if others_serve(NAME):
        logger.warning("Another Vitrine is connected to the database: what it runs is left alone.")
        reap()
        return []
    drop_orphans()
    queued = list(stored.unbegun())
    reap(frozenset({OWNER}), [generation.pk for generation in queued])
    fail_abandoned(timedelta(0))
    return queued


def reap(alive: frozenset[str] = frozenset(), running: Collection[UUID] = ()) -> int:
    """Interrupt what nobody runs, and delete old event logs. Never run anything again.

    What is `running` here is alive, whatever the clock says: it may have jumped.
    """
    abandoned = stored.abandoned(alive).exclude(pk__in=running)
    reaped = sum(stored.interrupt(generation) for generation in abandoned)
    stored.drop_old_events(settings.EVENT_HOURS)
    clear_expired()
    drop_forgotten()
    drop_strays()
    fail_abandoned()
    if reaped:
        logger.warning("Interrupted %d abandoned generations; their text was kept.", reaped)
    return reaped


async def _reap_for_ever() -> None:
    while True:
        await asyncio.sleep(REAP_SECONDS)
        try:
            await in_database(directory.load)
            await in_database(reap, running=supervisor.running())
        except Exception:
            logger.exception("Nothing was cleared up this time")


async def _keep_claim() -> None:
    while True:
        await asyncio.sleep(CLAIM_SECONDS)
        try:
            await asyncio.to_thread(keep_claim)
        except Exception as error:
            logger.warning("The claim on the database cannot be looked at: %s", error)

"""The tasks of a process at its start, every half minute, and at its end."""

import asyncio
import logging
from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.conf import settings

from agents.providers import directory
from chatapp.accounts.sessions import clear_expired
from chatapp.databases.lock import keep_claim, others_serve
from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import advising, deleting, summaries, supervisor
from chatapp.generation.queue import answer_queue
from chatapp.generation.runner import NAME, OWNER
from chatapp.generation.tools import mcp_sessions
from chatapp.imports import background as imports
from chatapp.llm import client, warming
from chatapp.llm.providers import background
from chatapp.process import jobs, left_behind, others, places, receivers, rights
from chatapp.process.observing import observing
from chatapp.process.resolving import Resolved, resolve, tell
from chatapp.telemetry.metrics import ANSWERS
from history.models import Generation
from history.services.answers import lifecycle as stored
from history.services.imports.lifecycle import take_over
from history.services.media.attaching import drop_forgotten
from history.services.media.keeping import drop_orphans, drop_strays
from history.services.summaries.writing import fail_abandoned

logger = logging.getLogger(__name__)
REAP_SECONDS = 30
CLAIM_SECONDS = 5
LEFT_ALONE = "what it runs is left alone."
_tasks: list[asyncio.Task[None]] = []


async def startup(*, serves: bool = True) -> None:
    """Begin this process's tasks. A worker, which serves no browsers, reads no imports."""
    observing.begin()
    if not supervisor.writes_here():
        jobs.connect()  # What is taken over needs jobs already.
    queued = await in_database(_take_over)
    receivers.serve_here()
    others.join()
    advises = advising.watch(lambda: bool(supervisor.all_here()))
    lasting = (_reap_for_ever(), rights.watch(), _keep_claim(), advises)
    _tasks.extend(map(asyncio.create_task, lasting))
    if serves:
        imports.serve()
    if serves and not supervisor.writes_here():
        _tasks.append(asyncio.create_task(places.watch()))
    await mcp_sessions.startup()
    for generation in queued:
        supervisor.start(generation)
    await in_database(imports.resume)


async def shutdown() -> None:
    """End this process's tasks. Interrupt all generations that still run, keeping their text."""
    for task in _tasks:
        task.cancel()
    answer_queue.close()
    await supervisor.interrupt_all()
    await summaries.shutdown()
    await asyncio.to_thread(imports.shutdown)
    await mcp_sessions.shutdown()
    await others.part()
    await asyncio.to_thread(warming.settled)
    await background.settled()
    await client.close()
    await observing.end()
    await close_connections()


def _take_over() -> list[Generation]:
    """Interrupt the generations that an earlier process left running; return those that it had only
    queued, if no other process is connected, and those that their providers go on with.

    Another connected process may still run some of them: then interrupt only those without a sign
    of life.
    """
    directory.load()
    if others_serve(NAME):
        if not settings.REDIS_URL:
            logger.warning("Another Vitrine is connected to the database: %s", LEFT_ALONE)
        return reap().queued
    drop_orphans()
    take_over()
    queued = list(left_behind.unbegun()) if supervisor.writes_here() else []
    resolved = reap(frozenset({OWNER}), [generation.pk for generation in queued])
    fail_abandoned(timedelta(0))
    return [*queued, *resolved.queued]


def reap(alive: frozenset[str] = frozenset(), running: Collection[UUID] = ()) -> Resolved:
    """Interrupt generations that no process runs any more, and delete what has expired, such as old
    event logs. Do not ask a model again; queue the generations that their providers go on with.

    One that is `running` here is alive, however old its heartbeat is, because the clock may have
    jumped. One that waits for a worker may wait for ever.
    """
    abandoned = left_behind.abandoned(alive).exclude(pk__in=running)
    if not supervisor.writes_here():
        abandoned = abandoned.exclude(pk__in=left_behind.for_workers().values("pk"))
    resolved = resolve(abandoned)
    ANSWERS.count("interrupted", "", amount=len(resolved.interrupted))
    stored.drop_old_events(settings.EVENT_HOURS)
    clear_expired()
    drop_forgotten()
    drop_strays()
    fail_abandoned()
    if resolved.interrupted:
        count = len(resolved.interrupted)
        logger.warning("Interrupted %d abandoned generations; their text was kept.", count)
    return resolved


async def _reap_for_ever() -> None:
    while True:
        await asyncio.sleep(REAP_SECONDS)
        try:
            await in_database(directory.load)
            await tell(await in_database(reap, running=supervisor.running()))
            await deleting.delete_expired()
            await in_database(imports.resume)
        except Exception:
            logger.exception("Nothing was cleared up this time")


async def _keep_claim() -> None:
    while True:
        await asyncio.sleep(CLAIM_SECONDS)
        try:
            await asyncio.to_thread(keep_claim)
        except Exception as error:
            logger.warning("The claim on the database cannot be looked at: %s", error)

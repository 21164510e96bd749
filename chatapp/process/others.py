"""The other processes of this Vitrine: carry out what they say, and end what they left running.

This happens only with `REDIS_URL`. A process counts as alive if one of the last three looks found
it connected to the database, and as dead if all three found it neither there nor in Redis. After
the database was down, three looks must pass before anything is ended.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any
from uuid import UUID

from agents.providers import directory
from chatapp.databases import redis
from chatapp.databases.lock import serving
from chatapp.databases.threads import in_database
from chatapp.generation import supervisor
from chatapp.generation.queue import answer_queue
from chatapp.generation.runner import NAME, OWNER
from chatapp.live.bus import EVERYBODY, bus, of_process
from chatapp.live.elsewhere import elsewhere, hear, resync
from chatapp.live.viewers import viewers
from chatapp.process import left_behind, rights
from chatapp.process.resolving import Resolved, resolve, tell

logger = logging.getLogger(__name__)
LOOK_SECONDS = 2.0
ABSENCES = 3  # A process absent in so many looks is dead: sooner, it might be reconnecting.
LOOKS = 8  # A process deaf in so many looks is reported: sooner, it might be just starting.
SILENCE = timedelta(seconds=20)  # Two heartbeats of a runner, whose process may be reconnecting.
PREFIX = NAME.removesuffix(OWNER)
DEAF = "has this database, but another Redis or SECRET_KEY: give both the same."
_told: set[str] = set()  # Processes already reported because they do not hear this one.
_tasks: set[asyncio.Task[Any]] = set()


def join() -> None:
    """Begin to work with the other processes, if this process shares its database with any."""
    bus.open(OWNER)
    if bus.is_used:
        bus.hear, bus.returned = _hear, resync
        viewers.others = elsewhere
        _spawn(bus.run())
        _spawn(elsewhere.watch(lambda pk: pk in supervisor.running()))
        _spawn(_look_for_ever())


async def part() -> None:
    """Leave the other processes, after all answers that this process was writing have ended."""
    await bus.emptied()
    for task in tuple(_tasks):
        task.cancel()
    await bus.close()


def say(command: str) -> None:
    """Tell every other process to carry out a command."""
    bus.say(EVERYBODY, command)


def _hear(topic: str, text: str) -> None:
    if topic not in {EVERYBODY, of_process(OWNER)}:
        return hear(topic, text)
    command, _, generation = text.partition(" ")
    match command:
        case "stop":
            supervisor.stop_here(UUID(generation))
        case "leave":
            supervisor.leave(UUID(generation))
        case "rights":
            rights.changed.set()
        case "directory":
            _spawn(in_database(directory.load))
    return None


def _spawn(work: Coroutine[Any, Any, Any]) -> None:
    task = asyncio.create_task(work)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def _look_for_ever() -> None:
    """Look after answers that wait or were left behind, and report processes that don't hear us."""
    deaf = deque[frozenset[str]](maxlen=LOOKS)
    absent = deque[frozenset[str]](maxlen=ABSENCES)
    connected = deque[frozenset[str]](maxlen=ABSENCES)
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            await in_database(left_behind.keep_waiting, answer_queue.waiting)
            alive = await in_database(_alive)
            absent.append(await _absent(alive))
            connected.append(alive)
            if len(connected) == ABSENCES:
                await _end_left(frozenset.union(*connected), _always(absent))
            deaf.append(await bus.deaf(alive))
            _report(_always(deaf))
        except Exception as error:
            absent.clear()
            connected.clear()  # The others need a moment too, to connect again.
            logger.warning("Other processes cannot be looked after: %s", error)


async def _end_left(alive: frozenset[str], dead: frozenset[str]) -> None:
    await tell(await in_database(_reap, alive, dead))


async def _absent(alive: frozenset[str]) -> frozenset[str]:
    """List owners of running answers that neither the database nor Redis knows; none if Redis
    fails.
    """
    owners = await in_database(left_behind.owners)
    try:
        return await bus.deaf(owners - alive)
    except redis.failures():
        return frozenset()


def _always(looks: deque[frozenset[str]]) -> frozenset[str]:
    """Return what all looks found; nothing as long as there were too few of them."""
    return frozenset.intersection(*looks) if len(looks) == looks.maxlen else frozenset()


def _report(deaf: frozenset[str]) -> None:
    """Report processes that have not heard this one in all of the last looks."""
    for owner in deaf - _told:
        logger.error("The process %s %s", owner, DEAF)
        _told.add(owner)


def _alive() -> frozenset[str]:
    return frozenset(name.removeprefix(PREFIX) for name in serving())


def _reap(alive: frozenset[str], dead: frozenset[str]) -> Resolved:
    """Queue or interrupt the generations of processes that are gone."""
    rows = [*left_behind.left_behind(alive, SILENCE, dead)]
    if supervisor.writes_here():
        rows += left_behind.left_queued(SILENCE)
    resolved = resolve(rows)
    if resolved.interrupted:
        count = len(resolved.interrupted)
        logger.warning("Interrupted %d answers of processes that are gone.", count)
    return resolved

"""Answers as jobs of procrastinate: any process may store a job, and workers carry them out.

A job is stored in the transaction that queues its generation, and contains only the generation's
id. The database lets only one worker claim a generation, so duplicate or late jobs do no harm. A
generation whose job was lost gets another one.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from chatapp.databases.threads import in_database, to_its_end
from chatapp.generation import supervisor
from chatapp.generation.runner import OWNER
from chatapp.process import left_behind
from chatapp.telemetry.metrics import JOBS
from history.models import Generation, GenerationStatus
from history.services.answers.queueing import queued

if TYPE_CHECKING:
    from procrastinate import App
    from procrastinate.jobs import Job

logger = logging.getLogger(__name__)
TASK, QUEUE = "write_answer", "answers"
MOST = 1_000  # The most answers that a worker writes at once, if nothing else limits them.
PAUSE_SECONDS = 1.0  # The pause before the next try if the database fails.
LOOK_SECONDS = 5.0
# A job that has not begun by then is lost; most jobs begin much sooner.
LOST = timedelta(seconds=10)
# TCP settings by which dead connections are detected.
ENDS_SOON = {"tcp_user_timeout": 30_000, "keepalives_idle": 30}


def connect() -> None:
    """Store a job for each generation that this process queues after this call."""
    queued.connect(defer)


def defer(generation: Generation, **_: Any) -> None:
    """Store the generation's job over this thread's connection and in its transaction.

    If the same person already has jobs, the new one comes after the first jobs of other people.
    """
    from procrastinate.contrib.django import app  # noqa: PLC0415 -- an optional package

    priority = -left_behind.others_of_its_person(generation)
    job = app.configure_task(TASK, queue=QUEUE, priority=priority)
    job.defer(generation=str(generation.pk))
    JOBS.count("stored")


def waiting() -> list[str]:
    """List the generations with jobs that nobody has taken, in the order in which they come."""
    from procrastinate.contrib.django.models import ProcrastinateJob  # noqa: PLC0415 -- an optional package

    rows = ProcrastinateJob.objects.filter(task_name=TASK, status="todo")
    return list(rows.order_by("-priority", "pk").values_list("args__generation", flat=True))


async def take() -> None:
    """Take jobs until this task is cancelled; the answers that have begun by then go on."""
    while True:
        app = _app()
        try:
            async with app.open_async():
                await _take(app)
        except Exception as error:
            logger.warning("No jobs can be taken now: %s", error)
        await asyncio.sleep(PAUSE_SECONDS)


def _app() -> "App":
    """Return a procrastinate app with connections of its own, apart from those of other threads."""
    from procrastinate import App, PsycopgConnector  # noqa: PLC0415 -- an optional package
    from procrastinate.contrib.django.utils import connector_params  # noqa: PLC0415 -- an optional package

    address = {**connector_params(), **ENDS_SOON}
    app = App(connector=PsycopgConnector(kwargs=address, min_size=1, max_size=4))
    app.task(name=TASK, queue=QUEUE)(_write)
    return app


async def _take(app: "App") -> None:
    """Take jobs until procrastinate gives up because its connection fails."""
    looking = asyncio.create_task(_look_for_ever(app))
    try:
        await app.run_worker_async(
            queues=[QUEUE],
            name=OWNER,
            concurrency=settings.OPEN_ANSWERS or MOST,
            install_signal_handlers=False,
            shutdown_graceful_timeout=0,  # The answers go on even if their jobs are lost.
            delete_jobs="always",
        )
    finally:
        looking.cancel()


async def _write(generation: str) -> None:
    """Write an answer; the worker's place stays taken until the answer ends."""
    if run := await to_its_end(_begun(UUID(generation))):
        await asyncio.wait([run])


async def _begun(generation_id: UUID) -> asyncio.Task[None] | None:
    """Begin the generation, and return its task; None if it has begun or ended, or no longer
    exists.
    """
    await supervisor.over(generation_id)
    generation = await in_database(left_behind.for_workers().filter(pk=generation_id).first)
    if generation is None or generation_id in supervisor.running():
        JOBS.count("nothing to do")
        return None
    JOBS.count("begun")
    return supervisor.begin(generation)


async def _look_for_ever(app: "App") -> None:
    """Look after the jobs of workers that are gone, again and again."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            await in_database(defer_lost)
            await _clear(app)
        except Exception as error:
            logger.warning("Lost jobs cannot be looked after: %s", error)


def defer_lost() -> None:
    """Store a job for each generation that has been queued for a while without one."""
    past = timezone.now() - LOST
    since = Q(heartbeat_at__lt=past) | Q(heartbeat_at=None, created__lt=past)
    if late := list(left_behind.for_workers().filter(since)):
        queued_ids = set(waiting())
        for generation in late:
            if str(generation.pk) not in queued_ids:
                defer(generation)
                JOBS.count("stored again")


async def _clear(app: "App") -> None:
    """Delete the jobs of workers that are gone, once nobody writes their answers any more.

    A worker that was only silent for a while still ends its own jobs.
    """
    from procrastinate.exceptions import ConnectorException  # noqa: PLC0415 -- an optional package
    from procrastinate.jobs import Status  # noqa: PLC0415 -- an optional package

    jobs = list(await app.job_manager.get_stalled_jobs(queue=QUEUE))
    for job in await in_database(_without_writer, jobs) if jobs else ():
        with suppress(ConnectorException):  # Another worker has just deleted the job.
            await app.job_manager.finish_job(job, Status.ABORTED, delete_job=True)


def _without_writer(jobs: Sequence["Job"]) -> "list[Job]":
    rows = Generation.objects.filter(status=GenerationStatus.RUNNING)
    running_ids = set(map(str, rows.values_list("pk", flat=True)))
    return [job for job in jobs if job.task_kwargs["generation"] not in running_ids]

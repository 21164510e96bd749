"""The threads that read imports in a serving process: at most one import of each person at a time.

Commands use none of these threads: they read their own import themselves.
"""

import logging
from functools import partial
from threading import Event, Lock
from uuid import UUID

from django.conf import settings
from django.db import connections

from chatapp.generation.runner import OWNER
from chatapp.imports.reading import run
from chatapp.limits.fair_pool import FairPool
from chatapp.limits.shared_places import IMPORTS
from history.models import Import
from history.services.access import person_of
from history.services.imports import lifecycle

logger = logging.getLogger(__name__)
_readers: FairPool[None] = FairPool(IMPORTS)
_stopping = Event()
_known: set[UUID] = set()
_lock = Lock()
_serving = Event()


def serve() -> None:
    """Let this process read the imports that begin in it after this call."""
    _serving.set()


def begin(import_id: UUID, whose: str) -> None:
    """Queue an import, unless it is queued already, or this process reads no imports."""
    if not settings.IMPORTS or not _serving.is_set() or _stopping.is_set():
        return
    with _lock:
        if import_id in _known:
            return
        _known.add(import_id)
    _readers.submit(partial(_work, import_id), whose)


def resume() -> None:
    """Queue imports that nobody reads since their process ended or a limit was reached."""
    jobs = Import.objects.filter(pk__in=lifecycle.unclaimed(OWNER))
    for job in jobs.order_by("created"):
        begin(job.pk, person_of(job))


def shutdown() -> None:
    """Stop reading after the chat that is being stored; a process that starts later goes on."""
    _stopping.set()
    _readers.shutdown()


def work_now(import_id: UUID) -> None:
    """Read an import in this thread, unless another process has claimed it."""
    if job := lifecycle.claim(import_id, OWNER):
        run(job, _stopping)


def _work(import_id: UUID) -> None:
    try:
        if not _stopping.is_set():
            work_now(import_id)
    except Exception:
        logger.exception("Import %s goes on later", import_id)
    finally:
        with _lock:
            _known.discard(import_id)
        connections.close_all()

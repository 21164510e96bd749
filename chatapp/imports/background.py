"""The thread that reads imports, one after another, in the process that serves.

Commands have no thread: they read their own import themselves.
"""

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from uuid import UUID

from django.conf import settings
from django.db import connections

from chatapp.generation.runner import OWNER
from chatapp.imports.reading import run
from history.services.imports import lifecycle

logger = logging.getLogger(__name__)
_executor = ThreadPoolExecutor(1, thread_name_prefix="imports")
_stopping = Event()
_known: set[UUID] = set()
_lock = Lock()
_serving = Event()


def serve() -> None:
    """Read from now on what is begun here."""
    _serving.set()


def begin(import_id: UUID) -> None:
    """Read it, if this process serves, may import, and does not read it already."""
    if not settings.IMPORTS or not _serving.is_set() or _stopping.is_set():
        return
    with _lock:
        if import_id in _known:
            return
        _known.add(import_id)
    _executor.submit(_work, import_id)


def resume() -> None:
    """Go on with what nobody reads: another process ended, or a limit was met."""
    for import_id in lifecycle.unclaimed(OWNER):
        begin(import_id)


def shutdown() -> None:
    """End after the chat that is being stored; whoever starts next goes on."""
    _stopping.set()
    _executor.shutdown(wait=True, cancel_futures=True)


def work_now(import_id: UUID) -> None:
    """Read it here and now."""
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

"""Health checks for service managers and proxies.

Whether the database takes writes is tried now and then, in a thread, without waiting for long.
"""

import logging
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from time import monotonic

from django.contrib.sessions.models import Session
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from chatapp.databases.refusals import RETRY_SECONDS, refusal_in

logger = logging.getLogger(__name__)
ROW = "readyz"  # A session key too short to be anybody's.
FRESH_SECONDS = 5
PATIENCE_SECONDS = 1


class Readiness:
    """The newest attempt to write. If it hangs, no other is started, however many ask.

    A server that is about to stop is not ready, whatever it could store.
    """

    def __init__(self) -> None:
        self.is_draining = False
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="readiness")
        self._lock = Lock()
        self._attempt: Future[str] | None = None
        self._began = 0.0

    def fault(self) -> str:
        """Return a code for why this process should get no requests; empty if writes work."""
        if self.is_draining:
            return "draining"
        try:
            return self._newest().result(PATIENCE_SECONDS)
        except TimeoutError:
            return "timeout"

    def _newest(self) -> Future[str]:
        with self._lock:
            attempt = self._attempt
            is_fresh = monotonic() - self._began < FRESH_SECONDS
            if attempt is None or (attempt.done() and not is_fresh):
                self._began = monotonic()
                self._attempt = attempt = self._writer.submit(_write)
            return attempt


def _write() -> str:
    try:
        Session.objects.update_or_create(session_key=ROW, defaults={"expire_date": timezone.now()})
    except Exception as error:
        logger.exception("The database takes no writes")
        return "unavailable" if refusal_in(error) else "failed"
    finally:
        connection.close()
    return ""


readiness = Readiness()


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 while the process lives, whatever the database does."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 while the database takes writes and the server isn't about to stop; else 503 with
    a code, within two seconds.
    """
    if code := readiness.fault():
        body = {"status": "unavailable", "code": code}
        return JsonResponse(body, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
    return JsonResponse({"status": "ok"})

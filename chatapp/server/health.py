"""Health checks for service managers and proxies.

Whether the database accepts writes is tried now and then, in a thread, with a short time limit.
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
ROW = "readyz"  # The key of the session that is written; real keys are longer.
FRESH_SECONDS = 5
PATIENCE_SECONDS = 1


class Readiness:
    """The newest attempt to write. While it hangs, no other is started, however often it is asked
    for.

    A server that is about to stop is not ready, even if the database works.
    """

    def __init__(self) -> None:
        self.is_draining = False
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="readiness")
        self._lock = Lock()
        self._attempt: Future[str] | None = None
        self._began = 0.0

    def fault(self) -> str:
        """Return a code that says why this process should get no requests; empty if it should."""
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
    """Answer 200 as long as the process lives, even if the database fails."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 if the database accepts writes and the server isn't about to stop, otherwise 503
    with a code; both within two seconds.
    """
    if code := readiness.fault():
        body = {"status": "unavailable", "code": code}
        return JsonResponse(body, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
    return JsonResponse({"status": "ok"})

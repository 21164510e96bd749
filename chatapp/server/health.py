"""Health checks for service managers and proxies."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from chatapp.databases.readiness import readiness
from chatapp.databases.refusals import RETRY_SECONDS


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 while the process lives, whatever the database does."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 while the database takes writes; else 503 with a code, within two seconds."""
    if code := readiness.fault():
        body = {"status": "unavailable", "code": code}
        return JsonResponse(body, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
    return JsonResponse({"status": "ok"})

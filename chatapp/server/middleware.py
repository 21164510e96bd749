"""Middleware with rules for every request, and with headers for every answer."""

from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from chatapp.databases.threads import give_back
from chatapp.limits.spending import TooMany
from history.core.settings.table import SETTINGS

SETTINGS_IN_ADDRESS = frozenset(spec.url for spec in SETTINGS if spec.url)
EXCEPT_TRUSTED_TYPES = ("/admin/", "/api/docs")
PROBED = frozenset({"/healthz", "/readyz"})


class KnownHosts(CommonMiddleware):
    """Refuses hosts that are not in `ALLOWED_HOSTS`, except for probes, which ask a process by its
    address. The answer to a probe does not depend on the host.
    """

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        return None if request.path in PROBED else super().process_request(request)


class TrustedTypesExceptAdmin(MiddlewareMixin):
    """Exempts Django's admin and the API's page from Trusted Types, as both set HTML from text."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if request.path.startswith(EXCEPT_TRUSTED_TYPES):
            without = {"require-trusted-types-for": None, "trusted-types": None}
            response._csp_replace = without  # type: ignore[attr-defined]  # django-csp reads it
        return response


class RefuseNul(MiddlewareMixin):
    """Refuses addresses that contain a NUL, before PostgreSQL does, which cannot store it.

    Settings in an address are not stored: one with a NUL is invalid, and the page says so.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if "\x00" in request.path or _has_nul(request.META.get("QUERY_STRING", "")):
            text = _("The address contains an invalid character.")
            return HttpResponse(text, status=422, content_type="text/plain")
        return None


def _has_nul(query: str) -> bool:
    if "%00" not in query:
        return False
    pairs = parse_qsl(query, keep_blank_values=True)
    return any("\x00" in name + value for name, value in pairs if name not in SETTINGS_IN_ADDRESS)


class SayTooMany(MiddlewareMixin):
    """Answers a request for a page or fragment beyond a limit with a plain sentence."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, TooMany):
            return None
        headers = {"Retry-After": str(error.seconds)}
        return HttpResponse(error.message, "text/plain", status=error.status, headers=headers)


class GiveBackConnections(MiddlewareMixin):
    """Returns database connections when the answer is made; its client may take long to read it."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        give_back()
        return response


class PrivateAnswers(MiddlewareMixin):
    """Keeps personal pages out of shared caches. Static files never reach this middleware."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response.setdefault("Cache-Control", "private, no-store")
        return response

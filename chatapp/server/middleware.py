"""Rules for every request, and the headers of every answer."""

from collections.abc import Callable
from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from chatapp.databases.threads import give_back
from chatapp.limits.buckets import TooMany
from history.core.settings.table import SETTINGS

GetResponse = Callable[[HttpRequest], HttpResponse]
SETTINGS_IN_ADDRESS = frozenset(spec.url for spec in SETTINGS if spec.url)
EXCEPT_TRUSTED_TYPES = ("/admin/", "/api/docs")


class TrustedTypesExceptAdmin:
    """Exempts Django's admin and the API's page, which assign HTML as text, from Trusted Types."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path.startswith(EXCEPT_TRUSTED_TYPES):
            without = {"require-trusted-types-for": None, "trusted-types": None}
            response._csp_replace = without  # type: ignore[attr-defined]  # read by django-csp
        return response


class RefuseNul:
    """Refuses addresses with a NUL before PostgreSQL does, which cannot store one.

    Settings never reach the database here: one with a NUL is invalid, and the page says so.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path or _has_nul(request.META.get("QUERY_STRING", "")):
            text = _("The address contains an invalid character.")
            return HttpResponse(text, status=422, content_type="text/plain")
        return self.get_response(request)


def _has_nul(query: str) -> bool:
    if "%00" not in query:
        return False
    given = parse_qsl(query, keep_blank_values=True)
    return any("\x00" in name + value for name, value in given if name not in SETTINGS_IN_ADDRESS)


class SayTooMany:
    """Answers a page or a fragment beyond a limit with a plain sentence."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, TooMany):
            return None
        headers = {"Retry-After": str(error.seconds)}
        return HttpResponse(error.message, "text/plain", status=error.status, headers=headers)


class GiveBackConnections:
    """Returns connections once the answer is made; its client may take long to read it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        give_back()
        return response


class PrivateAnswers:
    """Keeps personal pages out of shared caches. Static files never come this far."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Cache-Control", "private, no-store")
        return response

"""What holds for every request, and the headers that every answer carries."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]
EXCEPT_TRUSTED_TYPES = ("/admin/", "/api/docs")


class TrustedTypesExceptAdmin:
    """Django's admin and the API's page assign HTML as text, which Trusted Types would refuse."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path.startswith(EXCEPT_TRUSTED_TYPES):
            without = {"require-trusted-types-for": None, "trusted-types": None}
            response._csp_replace = without  # type: ignore[attr-defined]  # read by django-csp
        return response


class RefuseNul:
    """PostgreSQL holds no NUL: an address with one is refused before it is looked for."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "%00" in request.META.get("QUERY_STRING", "") or "\x00" in request.path:
            text = "The address holds a NUL character."
            return HttpResponse(text, status=422, content_type="text/plain")
        return self.get_response(request)


class PrivateAnswers:
    """What belongs to one person stays out of shared caches. Static files never come this far."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Cache-Control", "private, no-store")
        return response

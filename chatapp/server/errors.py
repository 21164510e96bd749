"""Answers for errors before or in a view, such as in middleware.

Django calls `server_error` and `bad_request` after every layer, so nothing escapes them.
"""

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views import defaults

from chatapp.databases.refusals import RETRY_SECONDS, SENTENCE, refusal_in


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500, or 503 if the database refused."""
    if refusal_in(sys.exc_info()[1]):
        return unavailable(request)
    return defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400. Django takes a session that could not be stored for one that was deleted."""
    if refusal_in(exception):
        return unavailable(request)
    return defaults.bad_request(request, exception)


def unavailable(request: HttpRequest) -> HttpResponse:
    """Answer 503: JSON for a program, a sentence for an open page, else a page."""
    answer = _unavailable(request)
    answer.status_code = 503
    answer["Retry-After"] = str(RETRY_SECONDS)
    return answer


def _unavailable(request: HttpRequest) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"code": "unavailable", "detail": SENTENCE})
    if "HX-Request" in request.headers or not request.accepts("text/html"):
        return HttpResponse(SENTENCE, content_type="text/plain")
    return render(None, "503.html", {"sentence": SENTENCE, "page": _page(request)})


def _page(request: HttpRequest) -> str:
    """Return the requested page, or the one whose form was sent; empty if neither."""
    address = request.get_full_path()
    is_a_page = request.method == "GET" or request.headers.get("Referer", "").endswith(address)
    return address if is_a_page else ""

"""Answers to errors that are raised in a view or before it, for example in middleware.

Django calls `server_error` and `bad_request` after all other layers, so no error escapes them.
"""

import logging
import re
import sys

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import split_domain_port
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views import defaults

from chatapp.databases.refusals import RETRY_SECONDS, SENTENCE, refusal_in

logger = logging.getLogger(__name__)
HOST_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
UNREADABLE = _("Cannot read the request: its body or its address is malformed.")
UNKNOWN_HOST = _(
    "Vitrine isn't served under this name. If you run it, add the name to ALLOWED_HOSTS, and start"
    " it again."
)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer with 500, or with 503 if the database refused to work."""
    if refusal_in(sys.exc_info()[1]):
        return unavailable(request)
    return defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer with 400, or with 503 if the database refused to work.

    Django takes a session that could not be stored for one that was deleted.
    """
    if refusal_in(exception):
        return unavailable(request)
    if isinstance(exception, DisallowedHost):
        return _unknown_host(request)
    if request.path.startswith("/api/"):
        return JsonResponse({"code": "invalid", "detail": UNREADABLE}, status=400)
    return defaults.bad_request(request, exception)


def _unknown_host(request: HttpRequest) -> HttpResponse:
    """Name ALLOWED_HOSTS, on the page and in the log. Only the log shows its present value, because
    a foreign site could read the page if its name leads to this server.
    """
    hosts = ",".join([*settings.ALLOWED_HOSTS, _name_in(request.META.get("HTTP_HOST", ""))])
    logger.warning("Refused a request for an unknown name. To serve it: ALLOWED_HOSTS=%s", hosts)
    if request.path.startswith("/api/"):
        return JsonResponse({"code": "unknown_host", "detail": UNKNOWN_HOST}, status=400)
    if not request.accepts("text/html"):
        return HttpResponse(UNKNOWN_HOST, content_type="text/plain", status=400)
    return render(None, "400_host.html", {"sentence": UNKNOWN_HOST}, status=400)


def _name_in(host: str) -> str:
    """Return the host's name without its port; a name that is not valid is not repeated."""
    domain, _port = split_domain_port(host)
    return domain if HOST_NAME.fullmatch(domain) else "the.name"


def unavailable(request: HttpRequest) -> HttpResponse:
    """Answer with 503: JSON for a program, a sentence for an open page, or else a page."""
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
    """Return the address to try again: that of the page or of the sent form; otherwise empty."""
    address = request.get_full_path()
    is_a_page = request.method == "GET" or request.headers.get("Referer", "").endswith(address)
    return address if is_a_page else ""

"""The page that a fragment is for. htmx names its address in a header, which anybody may forge."""

from urllib.parse import SplitResult, urlsplit

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

MOST = 8_192  # Characters. No page of ours has a longer address.
NO_PAGE = SplitResult("", "", "", "", "")


def is_within_page(request: HttpRequest) -> bool:
    return bool(request.headers.get("HX-Current-URL"))


def page_query(request: HttpRequest) -> str:
    """Return its query; empty if the header names no page."""
    return _page(request).query


def page_path(request: HttpRequest) -> str:
    """Return a safe path of this site; empty if the header names none."""
    path = _page(request).path
    return path if path.startswith("/") and url_has_allowed_host_and_scheme(path, None) else ""


def _page(request: HttpRequest) -> SplitResult:
    address = request.headers.get("HX-Current-URL", "")
    try:
        return urlsplit(address) if len(address) <= MOST else NO_PAGE
    except ValueError:
        return NO_PAGE

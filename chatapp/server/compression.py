"""Compress pages, the API's answers, and static files of which no compressed copy is stored."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from whitenoise.middleware import WhiteNoiseFileResponse

PAGES = ("text/html", "application/json")
FILES = ("text/css", "text/javascript", "image/svg+xml")


class CompressPages(GZipMiddleware):
    """Compresses responses; Django pads them randomly so that lengths reveal no secrets."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress pages and whole static files; leave all other streamed responses as they are."""
        kind = response.get("Content-Type", "").partition(";")[0]
        if is_whole_file(response) and kind in FILES:
            # Both encodings would have the same ETag, and WhiteNoise doesn't know Django's form of
            # it. Without an ETag, browsers ask by date.
            del response.headers["ETag"]
        elif response.streaming or kind not in PAGES:
            return response
        return super().process_response(request, response)


def is_whole_file(response: HttpResponseBase) -> bool:
    """Return whether a response is a static file, complete and uncompressed: no part, no 304."""
    is_file = isinstance(response, WhiteNoiseFileResponse)
    return is_file and response.status_code == 200 and "Content-Encoding" not in response

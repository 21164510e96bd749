"""Compresses pages, the API's answers, and static files that are not stored compressed."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from whitenoise.middleware import WhiteNoiseFileResponse

PAGES = ("text/html", "application/json")
FILES = ("text/css", "text/javascript", "image/svg+xml")


class CompressPages(GZipMiddleware):
    """Django adds a random length to each, so that lengths tell nothing of a page's secrets."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Leave alone what is written while it is sent."""
        kind = response.get("Content-Type", "").partition(";")[0]
        if is_whole_file(response) and kind in FILES:
            # It is the same for both encodings, and Django's form of it is none of WhiteNoise's.
            # Browsers ask by the date instead.
            del response.headers["ETag"]
        elif response.streaming or kind not in PAGES:
            return response
        return super().process_response(request, response)


def is_whole_file(response: HttpResponseBase) -> bool:
    """Whether it is a static file, and neither a part of one nor the answer that it is the same."""
    is_file = isinstance(response, WhiteNoiseFileResponse)
    return is_file and response.status_code == 200 and "Content-Encoding" not in response

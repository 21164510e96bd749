"""Compresses pages and the API's answers; static files are stored compressed."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

COMPRESSED = ("text/html", "application/json")


class CompressPages(GZipMiddleware):
    """Django adds a random length to each, so that lengths tell nothing of a page's secrets."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Leave alone what is written while it is sent."""
        kind = response.get("Content-Type", "").partition(";")[0]
        if response.streaming or kind not in COMPRESSED:
            return response
        return super().process_response(request, response)

"""Show a page to people who must wait before they may try a password again."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from chatapp.limits.spending import TooMany

GetResponse = Callable[[HttpRequest], HttpResponse]
DOORS = ("/login", "/admin/", "/account/")


class SayToWait:
    """Answers with a page in our own design that says how long to wait."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, TooMany) or not request.path.startswith(DOORS):
            return None
        response = render(request, "registration/wait.html", {"error": error}, status=error.status)
        response["Retry-After"] = str(error.seconds)
        return response

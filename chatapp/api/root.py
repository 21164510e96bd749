"""The API's root: who may call it, how it reports errors, and all its routers."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeAlias

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.operation import Operation
from ninja.parser import Parser
from ninja.security import APIKeyCookie

from agents.api import router as agents
from chatapp.api import (
    attachments,
    commands,
    experiments,
    exports,
    generations,
    imports,
    records,
)
from chatapp.databases.threads import give_back
from chatapp.limits.shared_places import PREDICTIONS, SEARCHES
from chatapp.limits.sharing import RequestPlaces
from chatapp.limits.spending import TooMany
from history.advice_api import router as advice
from history.api import router as conversations
from history.core.words.errors import SettingError
from history.core.words.json_text import read_json
from history.search_api import router as search
from history.services.access import Actor, actor_of
from history.services.errors import Refused
from history.services.texts import field_fault
from history.whatif_api import router as what_if
from history.wording.faults import word_error

View: TypeAlias = Callable[..., Any]


class OwnSession(APIKeyCookie):
    """The browser's session, of a user or a visitor; changes also need the CSRF token."""

    param_name = settings.SESSION_COOKIE_NAME

    def authenticate(self, request: HttpRequest, key: str | None) -> Actor | None:
        actor = actor_of(request)
        give_back()  # The call may last long, for example while a summary is written.
        return None if actor.is_nobody else actor


class BodyParser(Parser):
    """Reads the body of a request as JSON; a body that is not JSON becomes an `HttpError`."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        body: dict[str, Any] = read_json(request.body)
        return body


SHOWN = {"docs_url": "/docs", "openapi_url": "/openapi.json"}


class Api(NinjaAPI):
    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Name an operation after its function, without the function's module."""
        return operation.view_func.__name__


api = Api(
    title="Vitrine",
    version="1",
    auth=OwnSession(),
    parser=BodyParser(),
    **(SHOWN if settings.API_DOCS else dict.fromkeys(SHOWN)),
)
FAULTS = {
    400: ("invalid", _("Cannot parse the request body: it {why}")),
    401: ("not_signed_in", _("You are not signed in.")),
    403: ("forbidden", _("The CSRF token is missing or wrong.")),
}


@api.exception_handler(Refused)
def refused(request: HttpRequest, refusal: Refused) -> HttpResponse:
    body = {"code": refusal.code, "detail": refusal.message}
    response = api.create_response(request, body, status=refusal.status)
    if isinstance(refusal, TooMany):
        response["Retry-After"] = str(refusal.seconds)
    return response


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Answer a call without a session, without a CSRF token, or whose body is not JSON."""
    code, sentence = FAULTS.get(error.status_code, ("refused", str(error)))
    body = {"code": code, "detail": sentence.format(why=error.__cause__)}
    return api.create_response(request, body, status=error.status_code)


@api.exception_handler(SettingError)
def bad_setting(request: HttpRequest, error: SettingError) -> HttpResponse:
    return api.create_response(
        request, {"code": "invalid", "detail": word_error(error)}, status=422
    )


@api.exception_handler(ValidationError)
def bad_request(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Answer an invalid request, saying where each fault is and what is wrong there."""
    faults = [f"{_place(each['loc'])}: {field_fault(each)}" for each in error.errors[:10]]
    body = {"code": "invalid", "detail": "; ".join(faults)[:1_000]}
    return api.create_response(request, body, status=422)


def _place(location: Sequence[str | int]) -> str:
    """Name a place in a request. Within a body, ninja adds what the view calls the whole body."""
    source, *names = map(str, location)
    if source == "body":
        return ".".join(names[1:]) or source
    return ".".join(names)


def within(places: RequestPlaces) -> Callable[[View], View]:
    """Return a decorator that lets each call hold one of these shared places while it works."""

    def decorate(view: View) -> View:
        @wraps(view)
        def held(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            with places.held(actor_of(request).person):
                return view(request, *args, **kwargs)

        return held

    return decorate


search.add_decorator(within(SEARCHES))
what_if.add_decorator(within(PREDICTIONS))
commands.add_to(conversations)
records.add_to(conversations)
for router in (
    *(agents, conversations, attachments.router, exports.router),
    *(generations.router, imports.router, what_if, search, experiments.router, advice),
):
    api.add_router("", router)

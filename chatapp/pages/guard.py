"""Decide who may open a page, and read what its address asks for."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeAlias
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

from history.services.access import Actor, actor_of
from history.services.errors import NotFound

PAGE = "HX-Current-URL"  # A header with the page's address; anybody may forge it.
MOST = 8_192  # The most characters of an address; no page of Vitrine has a longer one.
NO_PAGE = SplitResult("", "", "", "", "")
P = ParamSpec("P")
View: TypeAlias = Callable[Concatenate[HttpRequest, Actor, P], HttpResponseBase]


def chatting(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Pass the actor to a view, and answer 404 if the view looks for something they may not see.

    People are asked to sign in only if chatting requires it.
    """

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        actor = actor_of(request)
        if actor.is_nobody and not settings.ANONYMOUS_CHAT:
            return _to_login(request)
        try:
            return view(request, actor, *args, **kwargs)
        except NotFound as error:
            raise Http404(error.message) from error

    return guarded


def query_of(request: HttpRequest) -> str:
    return str(request.META.get("QUERY_STRING", ""))


def query_of_page(request: HttpRequest) -> str | None:
    """Return the query of the page that a fragment is for; None if it is not for any page."""
    return _page(request).query if request.headers.get(PAGE) else None


def _to_login(request: HttpRequest) -> HttpResponse:
    if "HX-Request" not in request.headers:
        return redirect_to_login(request.get_full_path())
    path = _page(request).path
    is_ours = path.startswith("/") and url_has_allowed_host_and_scheme(path, None)
    address = f"{reverse('login')}?{urlencode({'next': path if is_ours else reverse('home')})}"
    return HttpResponse(status=204, headers={"HX-Redirect": address})


def _page(request: HttpRequest) -> SplitResult:
    address = request.headers.get(PAGE, "")
    try:
        return urlsplit(address) if len(address) <= MOST else NO_PAGE
    except ValueError:
        return NO_PAGE

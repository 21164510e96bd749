"""Decide who may open a page, and read what its address asks."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeAlias

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode

from chatapp.pages.current_url import is_within_page, page_path, page_query
from history.services.access import Actor, actor_of
from history.services.errors import NotFound

P = ParamSpec("P")
View: TypeAlias = Callable[Concatenate[HttpRequest, Actor, P], HttpResponse]


def chatting(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Load what the actor may see, else answer 404; ask to sign in only if chatting requires it."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
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
    """Return the query of the chat beside a fragment; None if the fragment is on its own."""
    return page_query(request) if is_within_page(request) else None


def _to_login(request: HttpRequest) -> HttpResponse:
    if "HX-Request" not in request.headers:
        return redirect_to_login(request.get_full_path())
    after = page_path(request) or reverse("home")
    address = f"{reverse('login')}?{urlencode({'next': after})}"
    return HttpResponse(status=204, headers={"HX-Redirect": address})

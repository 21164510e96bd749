"""The overview of all conversations, and the page on which staff read one."""

from collections.abc import Callable
from functools import reduce, wraps
from operator import add
from typing import Concatenate, ParamSpec
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from agents.models import AgentTemplate
from chatapp.inspector.forms import MOST, read
from chatapp.overview.figures import Figures
from chatapp.overview.forms import OverviewForm
from chatapp.overview.page import OverviewPage
from chatapp.overview.queries import listing, models_called, trend
from chatapp.pages.guard import View, chatting
from chatapp.pages.sidebar import zone_of
from chatapp.pages.stretches import transcript_of
from history.models import Viewing
from history.services.access import Actor, access_conversation, may_see_all_costs
from history.services.errors import NotFound

P = ParamSpec("P")


def reading_all(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Admit readers only; for everybody else the page does not exist."""

    @wraps(view)
    def guarded(
        request: HttpRequest, actor: Actor, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if not actor.may_read_all:
            raise NotFound("page")
        with timezone.override(zone_of(request)):
            return view(request, actor, *args, **kwargs)

    return chatting(guarded)


@require_safe
@reading_all
def overview(request: HttpRequest, actor: Actor) -> HttpResponse:
    agents = dict(AgentTemplate.objects.values_list("slug", "name"))
    form = OverviewForm(request.GET, agents, models_called())
    read(form)
    wanted = form.wanted(zone_of(request))
    shows_cost = may_see_all_costs(actor)
    if "cost" in wanted.sort and not shows_cost:
        raise Http404("sort: not a column that you see.")
    buckets = trend(wanted)
    page = OverviewPage(
        form=form,
        wanted=wanted,
        listing=listing(wanted),
        buckets=buckets,
        total=reduce(add, (bucket.figures for bucket in buckets), Figures()),
        shows_cost=shows_cost,
    )
    return render(request, "overview/page.html", {"page": page})


class BeforeForm(forms.Form):
    """A stretch of a transcript that ends below this position."""

    before = forms.IntegerField(required=False, min_value=0, max_value=MOST)


@require_safe
@reading_all
def transcript(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show any conversation, read-only."""
    before = read(BeforeForm(request.GET))["before"]
    found = access_conversation(actor, conversation, reading=Viewing.Page.TRANSCRIPT)
    context = {
        "conversation": found,
        "transcript": transcript_of(found, "", before),
        "is_recorded": not actor.owns(found),
    }
    return render(request, "overview/transcript.html", context)

"""Views of the overview of all conversations, and of the page on which staff read one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from typing import Concatenate, ParamSpec
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from agents.models import AgentTemplate
from chatapp.inspector.forms import MOST, read
from chatapp.overview.failing.listed import failed_answers, reasons
from chatapp.overview.failing.page import FailedPage
from chatapp.overview.faults import no_file, read_kindly
from chatapp.overview.files import written
from chatapp.overview.forms import FailedForm, OverviewForm, OverviewQuery
from chatapp.overview.groups import groups
from chatapp.overview.leaders import MEASURES, measure_of
from chatapp.overview.list_page import ListPage
from chatapp.overview.page import Listing, OverviewPage
from chatapp.overview.queries import listing, models_called
from chatapp.overview.sums.cells import cells, model_speeds
from chatapp.overview.sums.leading import leading
from chatapp.overview.sums.trend import total, trend
from chatapp.pages.guard import View, chatting
from chatapp.pages.sidebar.listing import zone_of
from chatapp.pages.stretches import transcript_of
from history.models import Viewing
from history.services.access import Actor, access_conversation, may_see_all_costs
from history.services.errors import NotFound

P = ParamSpec("P")
PLAIN = "text/plain; charset=utf-8"


def reading_all(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Admit people who may read all conversations; for others the page does not exist."""

    @wraps(view)
    def guarded(
        request: HttpRequest, actor: Actor, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        if not actor.may_read_all:
            raise NotFound("page")
        with timezone.override(zone_of(request)):
            return view(request, actor, *args, **kwargs)

    return chatting(guarded)


@require_safe
@reading_all
def overview(request: HttpRequest, actor: Actor) -> HttpResponse:
    choice = _chosen(request, actor, OverviewForm)
    all_cells = cells(choice.query)
    periods = trend(choice.query, all_cells)
    whole = total(all_cells, periods)
    measure = measure_of(whole, shows_cost=choice.shows_cost)
    page = OverviewPage(
        form=choice.form,
        wanted=choice.query,
        listing=_listing(choice),
        buckets=periods,
        total=whole,
        shows_cost=choice.shows_cost,
        models=model_speeds(all_cells),
        leading=list(leading(choice.query, all_cells, choice.agents, MEASURES[measure])),
    )
    return _shown(request, "overview/page.html", page)


@require_safe
@reading_all
def failures(request: HttpRequest, actor: Actor) -> HttpResponse:
    """List the answers that failed, with their reasons."""
    choice = _chosen(request, actor, FailedForm)
    query = choice.query
    page = FailedPage(choice.form, query, failed_answers(query), reasons(query))
    return _shown(request, "overview/failures.html", page)


def _shown(request: HttpRequest, template: str, page: ListPage) -> HttpResponse:
    """Show a page, with status 422 if it had to leave out something that was asked for."""
    status = 422 if page.form.faults else 200
    return render(request, template, {"page": page}, status=status)


@require_safe
@reading_all
def figures_file(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Send the complete table, with all its pages, as a file."""
    choice = _chosen(request, actor, OverviewForm)
    if choice.form.faults:
        return HttpResponse(no_file(choice.form, request.GET), PLAIN, 422)
    rows = _listing(choice, every=True).rows
    text = written(rows, choice.query, shows_cost=choice.shows_cost)
    headers = {"Content-Disposition": 'attachment; filename="figures.csv"'}
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


@dataclass(frozen=True, slots=True)
class _Chosen:
    form: OverviewForm
    query: OverviewQuery
    agents: Mapping[str, str]
    models: Sequence[str]
    shows_cost: bool

    @property
    def names(self) -> Mapping[str, str]:
        """Return the display names of the agents or models to choose from, by key."""
        return self.agents if self.query.by == "agent" else {name: name for name in self.models}


def _chosen(request: HttpRequest, actor: Actor, form_class: type[OverviewForm]) -> _Chosen:
    """Read and check the parameters of the address."""
    agents = dict(AgentTemplate.objects.values_list("slug", "name"))
    models = models_called()
    shows_cost = may_see_all_costs(actor)
    make = partial(form_class, agents=agents, models=models, shows_cost=shows_cost)
    form = read_kindly(make, request.GET)
    return _Chosen(form, form.wanted(zone_of(request)), agents, models, shows_cost)


def _listing(choice: _Chosen, *, every: bool = False) -> Listing:
    if choice.query.by:
        return groups(choice.query, choice.names, every=every)
    return listing(choice.query, every=every)


class BeforeForm(forms.Form):
    """A part of a transcript that ends below this position."""

    before = forms.IntegerField(required=False, min_value=0, max_value=MOST)


@require_safe
@reading_all
def transcript(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show any conversation, read-only."""
    before = read(BeforeForm(request.GET))["before"]
    chat = access_conversation(actor, conversation, reading=Viewing.Page.TRANSCRIPT)
    context = {
        "conversation": chat,
        "transcript": transcript_of(chat, "", before),
        "is_recorded": not actor.owns(chat),
    }
    return render(request, "overview/transcript.html", context)

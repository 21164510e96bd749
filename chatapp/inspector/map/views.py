"""Folded runs of the map's rows: each run is loaded when somebody opens it."""

from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from chatapp.inspector.cost.inputs import inputs_of, with_costs
from chatapp.inspector.forms import MOST, read
from chatapp.pages.guard import chatting
from history.models import Viewing
from history.services.access import Actor, access_conversation, may_see_cost
from history.services.explain.lookup import shown_plan
from history.services.explain.map.rows import folded_rows
from history.services.explain.map.stretches import page

PAGE = 100  # How many rows of a folded run are loaded at once.


class RowsForm(forms.Form):
    """The form that chooses some rows at either end of a folded run."""

    generation = forms.UUIDField()
    step = forms.IntegerField(min_value=1, max_value=MOST)
    first = forms.IntegerField(min_value=0, max_value=MOST)
    last = forms.IntegerField(min_value=0, max_value=MOST)
    most = forms.IntegerField(min_value=1, max_value=MOST)
    end = forms.ChoiceField(choices=[("oldest", "oldest"), ("newest", "newest")])


@require_safe
@chatting
def rows(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show up to `PAGE` rows from one end of a folded run; the rest of the run stays folded."""
    values = read(RowsForm(request.GET))
    chat = access_conversation(actor, conversation, reading=Viewing.Page.PANEL)
    record = shown_plan(chat, generation=values["generation"], step=values["step"])
    first, last = values["first"], values["last"]
    plan = record.core_plan
    if not first <= last < plan.counts.transcript:
        raise Http404("last: not a position of this plan.")
    parts = page(first, last, PAGE, newest=values["end"] == "newest")
    shown_rows = folded_rows(record, plan, parts)
    if may_see_cost(actor, chat):
        shown_rows = list(with_costs(shown_rows, inputs_of(record)))
    context = {"rows": shown_rows, "most": values["most"], "record": record}
    return render(request, "panel/map/rows.html", context)

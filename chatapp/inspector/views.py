"""The panel as a fragment beside the chat, and as a page of its own for each turn."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from chatapp.inspector.cost.parts import inputs_of, with_costs
from chatapp.inspector.forms import RecordQuery, RecordQueryForm, RowsForm, read
from chatapp.inspector.panel import (
    Panel,
    SettingsOnly,
    panel_of,
    panel_or_settings,
    settings_of,
)
from chatapp.inspector.whatif.views import tried_of
from chatapp.pages.address.notices import Notice, address_notices, notices_beside
from chatapp.pages.beginning import beginning_of, named_last, offered
from chatapp.pages.guard import chatting, query_of, query_of_page
from chatapp.pages.sidebar.listing import conversation_list
from history.models import Viewing
from history.services.access import (
    Actor,
    access_conversation,
    listed_conversations,
    may_see_cost,
)
from history.services.explain.lookup import shown_plan
from history.services.explain.map.rows import folded_rows
from history.services.explain.map.stretches import page
from history.wording.settings import invalid_sentences

PAGE = 100  # Rows that a folded run opens at once.


@require_safe
@chatting
def panel(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show the named request, or the newest; before there is one, this address's settings."""
    found = access_conversation(actor, conversation, reading=Viewing.Page.PANEL)
    wanted = RecordQuery(**read(RecordQueryForm(request.GET)))
    shown = panel_or_settings(actor, found, wanted, query_of_page(request))
    notices = notices_beside(actor, found, query_of_page(request))
    context = {"panel": shown, "is_recorded": not actor.owns(found), **_told(shown, notices)}
    return render(request, "panel/panel.html", context)


@require_safe
@chatting
def new_panel(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show the panel of a chat that has not begun."""
    query = query_of(request)
    beginning = beginning_of(named_last(query), offered())
    if beginning.agent is None or beginning.notice:
        raise Http404("There is no such agent or network.")
    shown = settings_of(actor, beginning.agent, query)
    notices = address_notices(shown.cascade.resolved, query, None)
    return render(request, "panel/panel.html", {"panel": shown, **_told(shown, notices)})


def _told(shown: Panel | SettingsOnly, notices: Sequence[Notice]) -> dict[str, object]:
    """Say once what of the address doesn't apply: not again among the notes on settings."""
    noted = [note.sentence for note in shown.notes] if isinstance(shown, SettingsOnly) else []
    return {
        "notices": [notice for notice in notices if notice.sentence not in noted],
        "invalid": invalid_sentences(shown.cascade.resolved, [each.given for each in notices]),
    }


@require_safe
@chatting
def rows(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show the rows inside a folded run, with the rest folded."""
    wanted = read(RowsForm(request.GET))
    found = access_conversation(actor, conversation, reading=Viewing.Page.PANEL)
    record = shown_plan(found, generation=wanted["generation"], step=wanted["step"])
    first, last = wanted["first"], wanted["last"]
    plan = record.core_plan
    if not first <= last < plan.counts.transcript:
        raise Http404("last: not a position of this plan.")
    parts = page(first, last, PAGE, newest=wanted["end"] == "newest")
    shown = folded_rows(record, plan, parts)
    if may_see_cost(actor, found):
        shown = list(with_costs(shown, inputs_of(record)))
    context = {"rows": shown, "most": wanted["most"], "record": record}
    return render(request, "panel/rows.html", context)


@require_safe
@chatting
def turn(request: HttpRequest, actor: Actor, conversation: UUID, turn: int) -> HttpResponse:
    """Show a turn's record as a page that can be shared with anyone who may see it."""
    found = access_conversation(actor, conversation, reading=Viewing.Page.PANEL)
    wanted = RecordQuery(**read(RecordQueryForm(request.GET)))
    shown = panel_of(actor, found, replace(wanted, turn=turn))
    context = {"panel": shown, "is_page": True, "layout": "partial.html"}
    context["is_recorded"] = not actor.owns(found)
    if any(name.startswith("set.") for name in request.GET):
        context |= tried_of(actor, shown.record, request)
    if "HX-Request" not in request.headers:
        listed = conversation_list(listed_conversations(actor), request)
        context |= {"layout": "base.html", "list": listed}
    return render(request, "panel/page.html", context)

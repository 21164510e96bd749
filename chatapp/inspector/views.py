"""Show the panel as a fragment beside the chat, or as a page of its own for each turn."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from agents.effective import contradictions
from chatapp.inspector.forms import RecordQuery, RecordQueryForm, read
from chatapp.inspector.panel import Panel, panel_of
from chatapp.inspector.unsent import UnsentPanel, panel_to_come, unsent_panel
from chatapp.inspector.whatif.views import tried_of
from chatapp.pages.address.notices import address_notices, notices_beside
from chatapp.pages.address.overruled import Notice, Reader
from chatapp.pages.beginning import beginning_of, named_last, offered
from chatapp.pages.guard import chatting, query_of, query_of_page
from chatapp.pages.sidebar.listing import conversation_list
from history.models import Viewing
from history.services.access import Actor, access_conversation, listed_conversations
from history.services.errors import NotFound
from history.services.explain.lookup import last_turn
from history.wording.settings import invalid_sentences


@require_safe
@chatting
def panel(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show the request that the address names, or the newest; without one, the chat's settings."""
    chat = access_conversation(actor, conversation, reading=Viewing.Page.PANEL)
    record_query, query = RecordQuery(**read(RecordQueryForm(request.GET))), query_of_page(request)
    shown_panel: Panel | UnsentPanel
    try:
        shown_panel = panel_of(actor, chat, record_query, query)
    except NotFound:
        shown_panel = unsent_panel(actor, chat, record_query, query or "")
    context = _told(shown_panel, notices_beside(actor, chat, query))
    context["is_recorded"] = not actor.owns(chat)
    return render(request, "panel/panel.html", context)


@require_safe
@chatting
def new_panel(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show the panel of a chat that has not begun."""
    query = query_of(request)
    beginning = beginning_of(named_last(query), offered())
    if beginning.agent is None or beginning.notice:
        raise Http404("There is no such agent or network.")
    shown_panel = panel_to_come(actor, beginning.agent, query)
    reader = Reader(actor, beginning.agent.name)
    notices = address_notices(shown_panel.resolved, query, None, reader)
    return render(request, "panel/panel.html", _told(shown_panel, notices))


def _told(shown_panel: Panel | UnsentPanel, notices: Sequence[Notice] = ()) -> dict[str, object]:
    """Build the template's context, without those notices that the panel's own notes repeat."""
    notes = shown_panel.notes if isinstance(shown_panel, UnsentPanel) else ()
    noted = [note.sentence for note in notes]
    return {
        "panel": shown_panel,
        "notices": [notice for notice in notices if notice.sentence not in noted],
        "invalid": invalid_sentences(shown_panel.resolved, [each.given for each in notices]),
        "conflicts": contradictions(shown_panel.resolved),
    }


@require_safe
@chatting
def turn(request: HttpRequest, actor: Actor, conversation: UUID, turn: int) -> HttpResponse:
    """Show the record of a turn as a page, so that people can share its address."""
    chat = access_conversation(actor, conversation, reading=Viewing.Page.PANEL)
    record_query = RecordQuery(**read(RecordQueryForm(request.GET)))
    try:
        shown_panel = panel_of(actor, chat, replace(record_query, turn=turn))
    except NotFound:
        context = {"conversation": chat, "turn": turn, "turns": last_turn(chat)}
        return render(request, "404.html", context, status=404)
    context = _told(shown_panel) | {"is_page": True, "layout": "partial.html"}
    context["is_recorded"] = not actor.owns(chat)
    if any(name.startswith("set.") for name in request.GET):
        context |= tried_of(actor, shown_panel.record, request)
    if "HX-Request" not in request.headers:
        listed = conversation_list(listed_conversations(actor), request)
        context |= {"layout": "base.html", "list": listed}
    return render(request, "panel/page.html", context)

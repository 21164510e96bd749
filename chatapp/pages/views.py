"""The pages of the chat, and actions on a whole conversation."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from agents.effective import remembered_by
from agents.models import SiteDefaults
from chatapp.limits import limits
from chatapp.limits.shared_places import SEARCHES
from chatapp.limits.spending import spend
from chatapp.llm import warming
from chatapp.pages.address.misnamed import OPENS_PANEL
from chatapp.pages.address.notices import address_notices
from chatapp.pages.address.overruled import Notice, Reader
from chatapp.pages.beginning import Beginning, OfferedAgents, beginning_of_page, offered
from chatapp.pages.chat import ChatPage
from chatapp.pages.guard import chatting, query_of, query_of_page
from chatapp.pages.sidebar.listing import conversation_list, zone_of
from chatapp.pages.sidebar.signs import Signs, signs_of
from chatapp.pages.stretches import (
    TranscriptPage,
    UnloadedStretch,
    transcript_around,
    transcript_of,
)
from chatapp.pages.telling import reload, show_list_again
from chatapp.pages.welcome.offers import described
from chatapp.server.client_address import address_of_request
from history.services.access import (
    Actor,
    access_conversation,
    begin_visit,
    listed_conversations,
    may_inspect,
)
from history.services.answers.conversation import open_branch, rename_conversation
from history.services.errors import Conflict, NotFound, Refused
from history.services.search import FoundChats, Older, corrected, find
from history.services.settings.answerer import answering
from history.services.settings.beginning import to_come
from history.services.settings.layers import resolve_settings


@require_POST
@chatting
def visitor(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Give a person without an account a session with their first message, and not before."""
    if actor.is_nobody:
        spend((limits.visitors(), address_of_request(request), 1))
        begin_visit(request.session)
    return HttpResponse(status=204)


@require_safe
@chatting
def home(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show a chat that has not begun, with the agent or network that its address names."""
    warming.count_soon()
    offers = offered()
    sees_disabled = actor.is_staff and request.user.has_perm("agents.view_agenttemplate")
    beginning = beginning_of_page(request.GET, offers, sees_disabled=sees_disabled)
    return _page(request, actor, beginning, offers)


@require_safe
@chatting
def chat(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    try:
        own_chat = access_conversation(actor, conversation)
    except NotFound:
        if "HX-Request" not in request.headers and may_inspect(actor, conversation):
            return render(request, "404.html", {"inspected": conversation}, status=404)
        raise
    transcript = transcript_of(own_chat, query_of(request))
    with_whom = Beginning(answering(own_chat), own_chat.network)
    return _page(request, actor, with_whom, offered(), transcript)


@require_safe
@chatting
def older(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show the stretch of the transcript above position `before`."""
    chat = access_conversation(actor, conversation)
    before = _position(request, "before")
    transcript = transcript_of(chat, query_of_page(request) or "", before)
    return render(request, "chat/stretch.html", {"transcript": transcript})


@require_safe
@chatting
def around(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show the stretch around a position, for a page that lacks messages `since` to `before`."""
    chat = access_conversation(actor, conversation)
    missing = UnloadedStretch(_position(request, "since"), _position(request, "before"))
    position = _position(request, "position")
    transcript = transcript_around(chat, query_of_page(request) or "", position, missing)
    return render(request, "chat/stretch.html", {"transcript": transcript})


def _position(request: HttpRequest, name: str) -> int:
    value = request.GET.get(name, "")
    if not (value.isascii() and value.isdecimal()) or len(value) > 9:
        raise Http404(f"{name} must be a position.")
    return int(value)


@require_safe
@chatting
def chats(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show the sidebar's list: one of its pages, or what a search found."""
    listed = conversation_list(listed_conversations(actor), request)
    matches, likely = FoundChats(), ""
    if listed.search and not listed.is_continued:
        with SEARCHES.held(actor.person):
            matches = find(actor, listed.search)
            is_in_vain = not (matches or matches.is_cut or listed.groups)
            likely = corrected(actor, listed.search) if is_in_vain else ""
    with timezone.override(zone_of(request)):
        context = {"list": listed, "found": matches, "meant": likely, **_signs(matches)}
        return render(request, "sidebar/chats.html", context)


@require_safe
@chatting
def found_older(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show the next page of what the sidebar's search found in messages."""
    query = request.GET.get("q", "")
    with SEARCHES.held(actor.person):
        matches = find(actor, query, older=_older(request))
    with timezone.override(zone_of(request)):
        context = {"found": matches, "search": query, "is_older": True, **_signs(matches)}
        return render(request, "sidebar/found_page.html", context)


@require_safe
@chatting
def found_in(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show all matches of a search in one chat, a page at a time, or fold them again."""
    access_conversation(actor, conversation)
    query, older = request.GET.get("q", ""), _older(request)
    with SEARCHES.held(actor.person):
        matches = find(actor, query, conversation, older)
    chat = matches[0] if matches else None
    if not (chat or matches.older):
        return HttpResponse()
    context = {
        "chat": chat,
        "conversation": conversation,
        "sought": query,
        "older": matches.older,
        "is_known": matches.is_known,
        "is_counted": matches.is_counted,
        **_signs(matches),
    }
    part = "found_texts" if older or not chat else "found_chat"
    with timezone.override(zone_of(request)):
        return render(request, f"sidebar/{part}.html", context)


def _signs(matches: FoundChats) -> dict[str, Signs]:
    return {"signs": signs_of([chat.conversation for chat in matches])}


def _older(request: HttpRequest) -> Older | None:
    """Read `older`. An invalid value, which only a hand-written address has, means page one."""
    return Older.of(request.GET.get("older", ""))


@require_POST
@chatting
def rename(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    access_conversation(actor, conversation)
    try:
        rename_conversation(actor, conversation, request.POST.get("title", ""))
    except Refused as refusal:
        return HttpResponse(refusal.message, status=refusal.status, content_type="text/plain")
    show_list_again(actor)
    return HttpResponse(status=204, headers={"HX-Trigger": "chat:list"})


@require_POST
@chatting
def branch(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Open another branch; all tabs that show the conversation follow."""
    pk = request.POST.get("branch", "")
    if not pk.isdecimal() or len(pk) > 18:
        raise NotFound("branch")
    try:
        open_branch(actor, conversation, int(pk))
    except Conflict as refusal:
        return HttpResponse(refusal.message, status=refusal.status, content_type="text/plain")
    reload(conversation)
    show_list_again(actor)  # The title may follow.
    address = reverse("chat", args=[conversation])
    return HttpResponseRedirect(f"{address}?{query_of_page(request) or ''}")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Serve the icon for pages that name none, such as the admin's."""
    return redirect(static("icons/favicon.svg"))


def _page(
    request: HttpRequest,
    actor: Actor,
    with_whom: Beginning,
    offers: OfferedAgents,
    transcript: TranscriptPage | None = None,
) -> HttpResponse:
    """Render the whole page, or only its main part if the browser has a page open."""
    query = query_of(request)
    conversation = transcript.conversation if transcript else None
    agent, site = with_whom.agent, SiteDefaults.objects.first() or SiteDefaults()
    its_own = conversation or to_come(query)
    in_force = resolve_settings(agent, actor, query, its_own, site) if agent else None
    here: dict[int, str] = {}  # Empty for a network, because a card describes only one agent.
    if agent and in_force and not with_whom.network:
        here[agent.pk] = remembered_by(agent, in_force)
    page = ChatPage(
        agent=agent,
        network=with_whom.network,
        offers=described(offers, site, here),
        transcript=transcript,
        settings=in_force,
        notices=[
            *map(Notice, filter(None, [with_whom.notice])),
            *address_notices(
                in_force, query, conversation, Reader(actor, agent.name if agent else "")
            ),
        ],
        debug=request.GET.get("debug") in OPENS_PANEL,
        query=query,
    )
    if "HX-Request" in request.headers:
        return render(request, "chat/page.html", {"page": page, "layout": "partial.html"})
    listed = conversation_list(listed_conversations(actor), request)
    context = {"page": page, "list": listed, "layout": "base.html", "is_new": actor.is_nobody}
    return render(request, "chat/page.html", context)

"""The pages of the chat, and actions on a whole conversation."""

from collections.abc import Callable
from uuid import UUID

from asgiref.sync import async_to_sync
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from chatapp.generation.deleting import delete_now
from chatapp.limits import limits
from chatapp.limits.buckets import spend
from chatapp.live.viewers import person, viewers
from chatapp.pages.beginning import Beginning, OfferedAgents, beginning_of, offered
from chatapp.pages.chat import ChatPage, address_notices
from chatapp.pages.guard import chatting, query_of, query_of_page
from chatapp.pages.sidebar import conversation_list
from chatapp.pages.stretches import TranscriptPage, Unloaded, transcript_around, transcript_of
from chatapp.server.client_address import address_of_request
from history.services.access import (
    Actor,
    access_conversation,
    begin_visit,
    listed_conversations,
)
from history.services.answers.conversation import open_branch, rename_conversation
from history.services.errors import Conflict, NotFound, Refused
from history.services.search import find
from history.services.settings.answerer import answering


@require_POST
@chatting
def visitor(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Give somebody without an account a session with their first message, and not before."""
    if actor.is_nobody:
        spend((limits.visitors(), address_of_request(request), 1))
        begin_visit(request.session)
    return HttpResponse(status=204)


@require_safe
@chatting
def home(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show a chat that has not begun, with the agent or the network that the address names."""
    offers = offered()
    return _page(request, actor, beginning_of(request.GET, offers), offers)


@require_safe
@chatting
def chat(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    found = access_conversation(actor, conversation)
    transcript = transcript_of(found, query_of(request))
    with_whom = Beginning(answering(found), found.network)
    return _page(request, actor, with_whom, offered(), transcript)


@require_safe
@chatting
def older(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show the stretch of the transcript above position `before`."""
    found = access_conversation(actor, conversation)
    before = _position(request, "before")
    transcript = transcript_of(found, query_of_page(request) or "", before)
    return render(request, "chat/stretch.html", {"transcript": transcript})


@require_safe
@chatting
def around(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show the stretch at a position, for a page that is without `since` to `before`."""
    found = access_conversation(actor, conversation)
    missing = Unloaded(_position(request, "since"), _position(request, "before"))
    position = _position(request, "position")
    transcript = transcript_around(found, query_of_page(request) or "", position, missing)
    return render(request, "chat/stretch.html", {"transcript": transcript})


def _position(request: HttpRequest, name: str) -> int:
    value = request.GET.get(name, "")
    if not (value.isascii() and value.isdecimal()) or len(value) > 9:
        raise Http404(f"{name} must be a position.")
    return int(value)


@require_safe
@chatting
def chats(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show the sidebar's list: a page of it, or what a search found."""
    listed = conversation_list(listed_conversations(actor), request)
    found = find(actor, listed.search) if listed.search and not listed.is_continued else []
    return render(request, "sidebar/chats.html", {"list": listed, "found": found})


@require_POST
@chatting
def rename(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    access_conversation(actor, conversation)
    try:
        rename_conversation(actor, conversation, request.POST.get("title", ""))
    except Refused as refusal:
        return HttpResponse(refusal.message, status=refusal.status, content_type="text/plain")
    _in_loop(lambda: viewers.show_person(person(actor), {"type": "list"}))
    return HttpResponse(status=204, headers={"HX-Trigger": "chat:list"})


@require_POST
@chatting
def delete(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Delete the conversation and all that belongs to it, for good."""
    delete_now(actor, conversation)
    return HttpResponse(status=204, headers={"HX-Trigger": "chat:list, chat:deleted"})


@require_POST
@chatting
def branch(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Open another branch; every tab that shows the conversation follows."""
    chosen = request.POST.get("branch", "")
    if not chosen.isdecimal() or len(chosen) > 18:
        raise NotFound("branch")
    try:
        open_branch(actor, conversation, int(chosen))
    except Conflict as refusal:
        return HttpResponse(refusal.message, status=refusal.status, content_type="text/plain")
    frame = {"type": "reload", "conversation": str(conversation)}
    _in_loop(lambda: viewers.show(conversation, frame))
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
    """Render the whole page, or only its main part for a page that is already open."""
    query = query_of(request)
    conversation = transcript.conversation if transcript else None
    about_address = address_notices(with_whom.agent, actor, query, conversation)
    page = ChatPage(
        agent=with_whom.agent,
        network=with_whom.network,
        offered=offers,
        transcript=transcript,
        notices=[*filter(None, [with_whom.notice]), *about_address],
        debug=request.GET.get("debug") == "true",
        query=query,
    )
    if "HX-Request" in request.headers:
        return render(request, "chat/page.html", {"page": page, "layout": "partial.html"})
    listed = conversation_list(listed_conversations(actor), request)
    context = {"page": page, "list": listed, "layout": "base.html", "is_new": actor.is_nobody}
    return render(request, "chat/page.html", context)


def _in_loop(tell: Callable[[], None]) -> None:
    """Tell open tabs something. Their viewers live in the event loop's thread."""

    async def told() -> None:
        tell()

    async_to_sync(told)()

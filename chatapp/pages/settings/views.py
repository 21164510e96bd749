"""Views that show and save the settings dialog. Changes apply to messages sent after them."""

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from agents.models import AgentTemplate
from chatapp.pages.address.leaving import overriding, without
from chatapp.pages.beginning import beginning_of, named_last, offered
from chatapp.pages.guard import chatting, query_of
from chatapp.pages.settings.for_chat import SettingsForChat
from chatapp.pages.settings.form import MemoryForm
from history.core.words.errors import SettingErrors
from history.models import Conversation
from history.services.access import Actor, access_conversation
from history.services.errors import NotFound, Refused
from history.services.settings.answerer import answering
from history.services.settings.beginning import to_come, with_settings
from history.services.settings.choosing import choose_model
from history.services.settings.layers import (
    refusal,
    refuse_contradictory,
    resolve_settings,
    save_settings,
)
from history.services.settings.room import refuse_without_room


@require_http_methods(["GET", "HEAD", "POST"])
@chatting
def memory(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show the chat's settings dialog, or save it. The query is the chat page's, because its
    settings apply in the dialog, too.
    """
    query = query_of(request)
    chat = access_conversation(actor, conversation)
    if request.method != "POST":
        return _dialog(request, MemoryForm(_standing(actor, chat, query)))
    form = MemoryForm(_standing(actor, chat, query), request.POST)
    if not form.is_valid():
        return _dialog(request, form)
    try:
        refuse_without_room(actor, chat, answering(chat), form.cleaned_data)
        saved = save_settings(actor, conversation, form.cleaned_data)
    except SettingErrors as errors:
        return _dialog(request, form.refusing(errors))
    leaves = overriding(query, form.decided)
    query = without(query, leaves)
    return _saved(request, MemoryForm(_standing(actor, saved, query)), query, leaves)


@require_http_methods(["GET", "HEAD", "POST"])
@chatting
def new_memory(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show the dialog for a chat that has not begun, whose settings are kept in its address."""
    query = query_of(request)
    agent = beginning_of(named_last(query), offered()).agent
    if agent is None:
        raise NotFound("agent")
    if request.method != "POST":
        return _dialog(request, MemoryForm(_to_come(actor, agent, query)))
    form = MemoryForm(_to_come(actor, agent, query), request.POST)
    if not form.is_valid():
        return _dialog(request, form)
    before, leaves = to_come(query), overriding(query, form.decided)
    query = with_settings(without(query, leaves), form.cleaned_data)
    try:
        refuse_without_room(actor, before, agent, form.cleaned_data)
        refuse_contradictory(actor, to_come(query), agent, form.cleaned_data)
    except SettingErrors as errors:
        return _dialog(request, form.refusing(errors))
    saved = MemoryForm(_to_come(actor, agent, query))
    return _saved(request, saved, query, leaves, address=f"{reverse('home')}?{query}")


@require_POST
@chatting
def model(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Choose the model for the messages that follow in this chat."""
    access_conversation(actor, conversation)
    try:
        choose_model(actor, conversation, request.POST.get("model", ""))
    except Refused as refusal:
        return HttpResponse(refusal.message, status=refusal.status, content_type="text/plain")
    return HttpResponse(status=204)


def _standing(actor: Actor, conversation: Conversation, query: str) -> SettingsForChat:
    agent = answering(conversation)
    return SettingsForChat(
        own=conversation.history_settings,
        resolved=resolve_settings(agent, actor, query, conversation),
        below=resolve_settings(agent, actor, query),
        refusal=refusal(actor),
        caps=settings.HISTORY_CAPS,
        is_staff=actor.is_staff,
    )


def _to_come(actor: Actor, agent: AgentTemplate, query: str) -> SettingsForChat:
    chat = to_come(query)
    return SettingsForChat(
        own=chat.history_settings,
        resolved=resolve_settings(agent, actor, query, chat),
        below=resolve_settings(agent, actor, query),
        refusal=refusal(actor),
        caps=settings.HISTORY_CAPS,
        is_staff=actor.is_staff,
    )


def _dialog(request: HttpRequest, form: MemoryForm) -> HttpResponse:
    """Render the dialog, with status 200 even for errors, as browsers log any other as an error."""
    context = {"form": form, "action": request.get_full_path()}
    return render(request, "memory/form.html", context)


def _saved(
    request: HttpRequest,
    form: MemoryForm,
    query: str,
    leaves: Sequence[str],
    *,
    address: str = "",
) -> HttpResponse:
    """Render the dialog after it was saved, for a page whose address has this query, without the
    parameters that it `leaves` out.

    `address` is the address of a new chat's page with these settings. The page closes the dialog,
    unless what was saved does not apply as it is.
    """
    is_done = not (form.standing.lowered or form.standing.warnings)
    context = {"form": form, "is_saved": True, "is_done": is_done, "leaves": leaves}
    context |= {"address": address, "action": f"{request.path}?{query}"}
    return render(request, "memory/form.html", context)

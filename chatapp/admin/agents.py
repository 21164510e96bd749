"""The administration's pages on agents, which preview an agent's settings while they are typed, and
link to a chat with the agent.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from agents.admin import AgentTemplateAdmin
from agents.catalogue import catalogue
from agents.choice import own_model
from agents.model_facts import described
from agents.models import AgentTemplate
from agents.networks.models import Network
from chatapp.pages.welcome.model_state import state_of
from history.admin import reader_of
from history.services.errors import NotFound
from history.services.whatif.previewing import (
    PreviewedTurn,
    chats_for,
    previewed,
    usual_chat,
)


class AgentList(ChangeList):
    """The list of agents, each with the networks of which the agent is a member."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        networks = list(Network.objects.all())
        self.result_list = list(self.result_list)
        for template in self.result_list:
            template.networks = [net for net in networks if template.slug in net.members]


class AgentAdmin(AgentTemplateAdmin):
    """The form for an agent. Its preview is planned from the typed values, and is not stored."""

    list_display = (
        *("name", "slug", "asked_model", "memory", "conversation_count", "version"),
        *("offered", "chat"),
    )

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return AgentList

    @admin.display(ordering="enabled", description=_("offered"))
    def offered(self, template: Any) -> str:
        """Say where the agent is offered: many agents are offered only in networks."""
        if template.enabled:
            return str(_("For new chats"))
        if names := ", ".join(network.name for network in template.networks):
            return str(_("Only in {networks}")).format(networks=names)
        return str(_("Disabled"))

    @admin.display(description=_("chat"))
    def chat(self, template: Any) -> SafeString | str:
        query = _chat_query(template)
        label = _("Open a chat with {name}").format(name=template.name)
        link = '<a href="{}?{}" aria-label="{}">{}</a>'
        return format_html(link, reverse("home"), query, label, _("Open")) if query else ""

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.chats_view)
        name = "agents_agenttemplate_chats"
        own = [path("chats/", view, name=name), path("<int:pk>/chats/", view, name=name)]
        return [*own, *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show the preview to people who may change something on this page."""
        original = context.get("original")
        template = AgentTemplate.objects.filter(pk=original.pk).first() if original else None
        if template and template.enabled:
            context["chat_query"] = _chat_query(template)
        if self.may_save(request, template):
            context |= _choice(request, template)
        return super().render_change_form(request, context, *args, **kwargs)

    def previewed(self, request: HttpRequest, typed: AgentTemplate) -> dict[str, Any]:
        """Return the preview: facts on the model, why it can't answer, and a chat's newest turn."""
        model = own_model(typed)
        facts = described(catalogue().facts(model))
        problem = state_of(model).problem
        return {
            "model": f"{model}: {facts}",
            "problem": problem,
            "tried": _tried(request, typed),
        }

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Save the agent, and warn of a model that can't answer yet: its key may come later."""
        super().save_model(request, obj, form, change)
        if problem := state_of(own_model(obj)).problem:
            self.message_user(request, problem, messages.WARNING)

    def chats_view(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """List chats to choose from for the preview: what a search finds, or else the agent's."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        template = self.get_object(request, str(pk)) if pk is not None else None
        chats = list(chats_for(reader_of(request), template, request.GET.get("q", "").strip()))
        chat_pk = _still_chosen(request, chats)
        return render(request, "admin/agents/chats.html", {"chats": chats, "chosen": chat_pk})


def _choice(request: HttpRequest, template: AgentTemplate | None) -> dict[str, Any]:
    """Return what the preview's fields need: the search's address, and the chats to choose from."""
    actor = reader_of(request)
    chat = usual_chat(actor, template, _asked_chat(request))
    listed = list(chats_for(actor, template, ""))
    return {
        "chats_url": reverse(
            "admin:agents_agenttemplate_chats", args=[template.pk] if template else []
        ),
        "chats": [*_missing(chat, listed), *listed],
        "chosen": chat.pk if chat else None,
    }


def _still_chosen(request: HttpRequest, chats: list[Any]) -> UUID | None:
    """Return the chat chosen before the search, if listed; else the first, if the user owns it."""
    for chat in chats:
        if str(chat.pk) == request.GET.get("chosen"):
            return chat.pk
    return chats[0].pk if chats and chats[0].owner_id == request.user.pk else None


def _missing(usual: Any, listed: list[Any]) -> Iterator[Any]:
    if usual and usual.pk not in {chat.pk for chat in listed}:
        yield usual


def _tried(request: HttpRequest, template: AgentTemplate) -> PreviewedTurn | None:
    """Plan the chosen chat's newest turn with the typed settings; None without such a chat."""
    chat = _asked_chat(request)
    try:
        return previewed(reader_of(request), chat, template) if chat else None
    except NotFound:
        return None


def _asked_chat(request: HttpRequest) -> UUID | None:
    try:
        return UUID(request.POST.get("preview_chat", ""))
    except ValueError:
        return None


def _chat_query(template: Any) -> str:
    """Return the query that begins a chat with the agent, or with an offered network of it."""
    if template.enabled:
        return urlencode({"agent": template.slug})
    offered = [network for network in template.networks if network.enabled]
    return urlencode({"network": offered[0].slug}) if offered else ""

"""Networks in the admin: a form for choosing agents, which are stored by slug, and versions."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from agents.changes import GuardedAdmin, GuardedForm, VersionedAdmin
from agents.form_parts.processor_rows import processors_field
from agents.models import AgentTemplate
from agents.networks.models import NOBODY, Network

GONE = _("this agent no longer exists")


def agent_choices(slugs: Iterable[str], without: str = "") -> list[tuple[str, str]]:
    """List all agents, stored ones first. A deleted agent stays, so that it can be removed."""
    labels = dict(AgentTemplate.objects.values_list("slug", "name"))
    choices = dict.fromkeys(filter(None, slugs), GONE) | labels
    return [(slug, f"{words} ({slug})") for slug, words in choices.items() if slug != without]


class NetworkForm(GuardedForm):
    """A network's form. It also lists deleted members, so that somebody can take them out."""

    entry = forms.ChoiceField(label=_("Entry agent"), help_text=_("The member that answers first."))
    members = forms.MultipleChoiceField(
        label=_("Members"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Agents that can hand over to each other."),
        error_messages={"required": NOBODY},
    )
    processors = processors_field("network", _("They run after the site's and before the agent's."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = agent_choices([*self.instance.members, self.instance.entry])
        for name in ("entry", "members"):
            cast(forms.ChoiceField, self.fields[name]).choices = choices

    def clean_starters(self) -> str:
        """Undo the CR LF that browsers send for every line end."""
        return str(self.cleaned_data["starters"]).replace("\r\n", "\n")


class NetworkAdmin(GuardedAdmin, VersionedAdmin):
    form = NetworkForm
    change_form_template = "admin/change_form.html"
    list_display = ("name", "slug", "agents", "conversation_count", "version", "enabled")
    search_fields = ("name", "slug", "description")
    prepopulated_fields = {"slug": ("name",)}
    history_list_display = ("version",)
    fieldsets = (
        (None, {"fields": ("name", "slug", "description", "enabled")}),
        (_("Agents"), {"fields": ("members", "entry")}),
        (_("Texts"), {"fields": ("starters",)}),
        (_("Memory: processors"), {"fields": ("processors",)}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Network]:
        rows = super().get_queryset(request)
        return rows.annotate(conversation_count=Count("conversations"))

    @admin.display(description=_("agents"))
    def agents(self, network: Network) -> str:
        return ", ".join(network.members)

    @admin.display(ordering="conversation_count", description=_("chats"))
    def conversation_count(self, network: Network) -> int:
        return network.conversation_count

"""Networks in the admin: members, processors, and versions."""

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from agents.changes import GuardedAdmin, VersionedAdmin
from agents.networks.forms import NetworkForm
from agents.networks.models import Network


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
        (_("History: processors"), {"fields": ("processors",)}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Network]:
        rows = super().get_queryset(request)
        return rows.annotate(conversation_count=Count("conversations"))

    @admin.display(description=_("agents"))
    def agents(self, network: Network) -> str:
        return ", ".join(network.members)

    @admin.display(ordering="conversation_count", description=_("conversations"))
    def conversation_count(self, network: Network) -> int:
        return network.conversation_count

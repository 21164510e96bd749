"""Agent templates and the site's defaults in the admin: edit, preview, compare, revert."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Count, Model, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from agents.catalogue import catalogue
from agents.changes import VersionedAdmin, with_seen
from agents.effective import Preview, remembered, site_preview, template_preview
from agents.form_parts.fieldsets import (
    AGENT_FIRST,
    AGENT_FOLDS,
    PROCESSORS,
    remembering,
    setting_folds,
)
from agents.form_parts.previewing import PreviewedAdmin
from agents.forms import AgentTemplateForm, SiteDefaultsForm
from agents.mcp.admin import McpServerAdmin
from agents.mcp.models import McpServer
from agents.model_facts import described
from agents.models import AgentTemplate, SiteDefaults
from agents.networks.admin import NetworkAdmin
from agents.networks.models import Network


class HistorySettingsAdmin(PreviewedAdmin, VersionedAdmin):
    """The base of the agent's and the site's admin pages: a field for each setting, a preview, and
    versions that can be restored.
    """

    first: tuple[Any, Any] = (None, {"fields": ()})
    folds: tuple[Any, ...] = ()

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> Any:
        """Hide the setting fields from people who may only view; the preview shows the values."""
        if obj and not self.has_change_permission(request, obj):
            return [part for part in (self.first, *self.folds) if part[1]["fields"]]
        settings = setting_folds(self.form.setting_fields)
        fieldsets = (remembering(self.first), *self.folds, *settings, PROCESSORS)
        return with_seen(fieldsets) if obj else fieldsets

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Read the stored object for the preview: after an error, `original` has unsaved values."""
        original = context.get("original")
        row = self.model.objects.filter(pk=original.pk).first() if original else None
        preview = self.preview(row)
        context |= {"effective_settings": preview.rows, "contradictions": preview.warnings}
        context["memory"] = preview.memory
        if self.may_save(request, row):
            context["preview_url"] = self.preview_url(row)
        return super().render_change_form(request, context, *args, **kwargs)


class AgentTemplateAdmin(HistorySettingsAdmin):
    form = AgentTemplateForm
    search_fields = ("name", "slug", "description", "model")
    prepopulated_fields = {"slug": ("name",)}
    history_list_display = ("version",)
    first = AGENT_FIRST
    folds = AGENT_FOLDS

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Offer the known models; the field takes any other name, too."""
        models = catalogue()
        context["known_models"] = [(name, described(models.facts(name))) for name in models.names()]
        return super().render_change_form(request, context, *args, **kwargs)

    def get_queryset(self, request: HttpRequest) -> QuerySet[AgentTemplate]:
        site = SiteDefaults.objects.values("history_settings")[:1]
        return (
            super()
            .get_queryset(request)
            .annotate(conversation_count=Count("conversations"), site_settings=Subquery(site))
        )

    def preview(self, row: AgentTemplate | None) -> Preview:
        return template_preview(row or AgentTemplate(slug="new"), SiteDefaults.objects.first())

    @admin.display(ordering="conversation_count", description=_("chats begun"))
    def conversation_count(self, template: AgentTemplate) -> int:
        return template.conversation_count

    @admin.display(ordering="model", description=_("model"))
    def asked_model(self, template: AgentTemplate) -> str:
        return template.model or _("{model} (default)").format(model=settings.DEFAULT_MODEL)

    @admin.display(description=_("memory"))
    def memory(self, template: AgentTemplate) -> str:
        """Say what the agent remembers in a chat without settings of its own."""
        return remembered(template, SiteDefaults(history_settings=template.site_settings or {}))


class SiteDefaultsAdmin(HistorySettingsAdmin):
    """Only one row exists: the list leads directly to it, or to the page that creates it."""

    form = SiteDefaultsForm

    def preview(self, row: SiteDefaults | None) -> Preview:
        return site_preview(row)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context["show_save_and_add_another"] = False
        return super().render_change_form(request, context, *args, **kwargs)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if site := SiteDefaults.objects.first():
            return redirect("admin:agents_sitedefaults_change", site.pk)
        return redirect("admin:agents_sitedefaults_add")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not SiteDefaults.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


admin.site.register(McpServer, McpServerAdmin)
admin.site.register(Network, NetworkAdmin)
admin.site.register(SiteDefaults, SiteDefaultsAdmin)

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
from agents.effective import Preview, effective, site_preview, template_preview
from agents.forms import AgentTemplateForm, HistorySettingsForm, SiteDefaultsForm
from agents.mcp.admin import McpServerAdmin
from agents.mcp.models import McpServer
from agents.model_facts import described
from agents.models import AgentTemplate, SiteDefaults, site_layer, template_layer
from agents.networks.admin import NetworkAdmin
from agents.networks.models import Network
from history.core.settings.spec import SettingGroup, shown

ADVICE = {
    SettingGroup.WINDOW: (
        _("History: window"),
        _(
            "All optional. Empty fields use the site defaults, then the built-in values. Start "
            "with a length of 5 to 20. In production, lock it in the environment."
        ),
    ),
    SettingGroup.BUDGET: (_("History: budget"), _("In tokens. Only the excess is pruned.")),
    SettingGroup.TOOLS: (
        _("History: tools"),
        _("Tool results are often long and seldom needed twice."),
    ),
    SettingGroup.ATTACHMENTS: (
        _("History: images and files"),
        _("An image can cost as much as pages of text, in every request that sends it again."),
    ),
    SettingGroup.REASONING: (
        _("History: reasoning"),
        _("What the model thinks is kept in any case. Most models need it only while tools run."),
    ),
    SettingGroup.CACHE: (
        _("History: cache"),
        _(
            "How far the window moves at a time. Larger steps keep the provider's prompt cache "
            "valid for longer."
        ),
    ),
    SettingGroup.SUMMARIES: (
        _("History: summaries"),
        _(
            "Useful beyond about 50 messages. Summaries are written after a reply and never "
            "delay it."
        ),
    ),
}


def _fieldset(form: type[HistorySettingsForm], group: SettingGroup, stored: Any) -> tuple[Any, Any]:
    """Build one group of settings, collapsed if none of them is set."""
    fields = {name: f.spec.name for name, f in form.setting_fields.items() if f.spec.group is group}
    is_set = stored and stored.history_settings.keys() & fields.values()
    classes = [] if is_set or group is SettingGroup.WINDOW else ["collapse"]
    title, advice = ADVICE[group]
    return (title, {"fields": [*fields], "description": advice, "classes": classes})


class HistorySettingsAdmin(VersionedAdmin):
    """What both pages share: one field per setting, a preview, versions with revert."""

    own_fieldsets: tuple[Any, ...] = ()

    def preview(self, stored: Any) -> Preview:
        """Preview a stored object; None on the page that adds one."""
        raise NotImplementedError

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> Any:
        """Leave settings to the preview for people who may only look: they are no model fields."""
        if obj and not self.has_change_permission(request, obj):
            return self.own_fieldsets
        groups = [_fieldset(self.form, group, obj) for group in SettingGroup]
        chain = {
            "fields": ["processors"],
            "classes": [] if obj and obj.processors else ["collapse"],
        }
        shown = (*self.own_fieldsets, *groups, (_("History: processors"), chain))
        return with_seen(shown) if obj else shown

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Read the object again: after an error, `original` already has what was not saved."""
        original = context.get("original")
        stored = self.model.objects.filter(pk=original.pk).first() if original else None
        preview = self.preview(stored)
        context |= {"effective_settings": preview.rows, "contradictions": preview.warnings}
        return super().render_change_form(request, context, *args, **kwargs)


class AgentTemplateAdmin(HistorySettingsAdmin):
    form = AgentTemplateForm
    list_display = (
        "name",
        "slug",
        "asked_model",
        "history",
        "conversation_count",
        "version",
        "enabled",
    )
    search_fields = ("name", "slug", "description", "model")
    prepopulated_fields = {"slug": ("name",)}
    history_list_display = ("version",)
    own_fieldsets = (
        (None, {"fields": ("name", "slug", "description", "enabled")}),
        (
            _("Model"),
            {"fields": ("model", "allowed_models", "temperature", "output_limit", "tools", "asks")},
        ),
        (
            _("Prompt and texts"),
            {"fields": ("system_prompt", "context", "prompt_is_public", "starters")},
        ),
    )

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Offer the models that are known; the field takes any other name, too."""
        known = catalogue()
        context["known_models"] = [(name, described(known.facts(name))) for name in known.names()]
        return super().render_change_form(request, context, *args, **kwargs)

    def get_queryset(self, request: HttpRequest) -> QuerySet[AgentTemplate]:
        site = SiteDefaults.objects.values("history_settings")[:1]
        return (
            super()
            .get_queryset(request)
            .annotate(conversation_count=Count("conversations"), site_settings=Subquery(site))
        )

    def preview(self, stored: AgentTemplate | None) -> Preview:
        return template_preview(stored or AgentTemplate(slug="new"), SiteDefaults.objects.first())

    @admin.display(ordering="conversation_count", description=_("conversations"))
    def conversation_count(self, template: AgentTemplate) -> int:
        return template.conversation_count

    @admin.display(ordering="model", description=_("model"))
    def asked_model(self, template: AgentTemplate) -> str:
        return template.model or _("{model} (default)").format(model=settings.DEFAULT_MODEL)

    @admin.display(description=_("history"))
    def history(self, template: AgentTemplate) -> str:
        """Show the effective policy, with its length if that matters."""
        site = SiteDefaults(history_settings=template.site_settings or {})
        resolved = effective(template_layer(template), site_layer(site))
        policy = resolved.value("policy")
        return f"lastN {shown(resolved.value('length'))}" if policy == "lastN" else policy


class SiteDefaultsAdmin(HistorySettingsAdmin):
    """One row: the list leads straight to it, or to the page that creates it."""

    form = SiteDefaultsForm

    def preview(self, stored: SiteDefaults | None) -> Preview:
        return site_preview(stored)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if site := SiteDefaults.objects.first():
            return redirect("admin:agents_sitedefaults_change", site.pk)
        return redirect("admin:agents_sitedefaults_add")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not SiteDefaults.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


admin.site.register(AgentTemplate, AgentTemplateAdmin)
admin.site.register(McpServer, McpServerAdmin)
admin.site.register(Network, NetworkAdmin)
admin.site.register(SiteDefaults, SiteDefaultsAdmin)

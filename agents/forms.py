"""The admin's forms: one field for each history setting, made from the settings table.

They name no model: the admin's pages give them theirs.
"""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, TypeVar, cast

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from agents.catalogue import catalogue
from agents.changes import GuardedForm
from agents.choice import own_model
from agents.effective import Fault, effective, site_faults, template_faults
from agents.fields import NamesField, SettingField, context_field, processors_field
from agents.mcp.models import McpServer
from agents.model_facts import described
from agents.models import SiteDefaults, site_layer
from agents.networks.admin import agent_choices
from agents.tools import TOOLS
from history.core.settings.layers import Layer
from history.core.settings.spec import LayerName, shown
from history.core.settings.table import SETTINGS

PREFIX = "history_"
F = TypeVar("F", bound="type[HistorySettingsForm]")


class HistorySettingsForm(GuardedForm):
    """Shows the JSON field `history_settings` as fields, and writes them back into it."""

    layer: ClassVar[LayerName]
    setting_fields: ClassVar[dict[str, SettingField]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        resolved = effective()
        for name, declared in self.setting_fields.items():
            setting = declared.spec.name
            self.initial.setdefault(name, self.instance.history_settings.get(setting))
            winner = resolved[setting].winner
            if winner.layer is LayerName.ENVIRONMENT:
                self.fields[name].help_text = _("{help} Locked by {source}={value}.").format(
                    help=self.fields[name].help_text,
                    source=winner.source,
                    value=shown(winner.value),
                )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        own = {
            field.spec.name: cleaned[name]
            for name, field in self.setting_fields.items()
            if cleaned.get(name) is not None
        }
        self.instance.history_settings = own
        if not self.errors:
            for name, sentence in self.faults(Layer(self.layer, "this page", own)):
                self.add_error(PREFIX + name, sentence)
        return cleaned

    def faults(self, own: Layer) -> Iterator[Fault]:
        """Yield contradictions that involve the page's own values; the preview warns of others."""
        raise NotImplementedError


def with_setting_fields(layer: LayerName) -> Callable[[F], F]:
    """Give a form the fields of every setting that this layer may set."""

    def declare(form: F) -> F:
        fields = {PREFIX + spec.name: SettingField(spec) for spec in SETTINGS if spec.allows(layer)}
        form.layer = layer
        form.setting_fields = fields
        form.declared_fields.update(fields)
        form.base_fields.update(fields)
        return form

    return declare


@with_setting_fields(LayerName.TEMPLATE)
class AgentTemplateForm(HistorySettingsForm):
    """Adds the tools as checkboxes; texts keep the line ends they have in code."""

    processors = processors_field(_("The site's processors run first."))
    allowed_models = NamesField(
        label=_("Other models"),
        required=False,
        help_text=_("Models that a chat may use instead, one per line."),
    )
    context = context_field()
    tools = forms.MultipleChoiceField(
        label=_("Tools"), required=False, widget=forms.CheckboxSelectMultiple
    )
    asks = forms.MultipleChoiceField(
        label=_("Can delegate to"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Agents this agent may delegate to. Each task gets a chat of its own."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Keep a stored tool that is gone on the page, so that the administrator can untick it."""
        super().__init__(*args, **kwargs)
        choices = {name: tool.description for name, tool in TOOLS.items()}
        choices |= {server.selection: _offered(server) for server in McpServer.objects.all()}
        gone = dict.fromkeys(self.instance.tools, _("this tool no longer exists"))
        cast(forms.MultipleChoiceField, self.fields["tools"]).choices = [
            (name, f"{name}: {words}") for name, words in (choices | gone | choices).items()
        ]
        if model := self.fields.get("model"):  # Whoever may only look has no field.
            model.widget.attrs |= {"list": "known-models", "spellcheck": "false"}
            name = own_model(self.instance)
            facts = described(catalogue().facts(name))
            model.help_text = format_html("{}<br>{}: {}", model.help_text, name, facts)
        asked = cast(forms.MultipleChoiceField, self.fields["asks"])
        asked.choices = agent_choices(self.instance.asks, without=self.instance.slug)

    def faults(self, own: Layer) -> Iterator[Fault]:
        site = site_layer(SiteDefaults.objects.first())
        return template_faults(own, site, self.cleaned_data["model"])

    def clean_system_prompt(self) -> str:
        return _lines(self.cleaned_data["system_prompt"])

    def clean_starters(self) -> str:
        return _lines(self.cleaned_data["starters"])


def _offered(server: McpServer) -> str:
    return ngettext(
        "{count} tool of the MCP server {name} ({state})",
        "all {count} tools of the MCP server {name} ({state})",
        count := len(server.listing["tools"]),
    ).format(count=count, name=server.name, state=server.shown_state)


def _lines(text: str) -> str:
    """Undo the CR LF that browsers send for every line end."""
    return text.replace("\r\n", "\n")


@with_setting_fields(LayerName.SITE)
class SiteDefaultsForm(HistorySettingsForm):
    """The settings, and the processors of every agent."""

    processors = processors_field(_("They run for every agent, before its own."))

    def faults(self, own: Layer) -> Iterator[Fault]:
        return site_faults(own)

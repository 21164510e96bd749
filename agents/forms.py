"""The admin's forms: one field for each history setting, made from the settings table.

The forms name no Django model: each admin page supplies its own.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, TypeVar, cast

from django import forms
from django.conf import settings
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from agents.catalogue import catalogue
from agents.changes import GuardedForm
from agents.effective import Fault, Output, effective, site_faults, template_faults
from agents.fields import NamesField, SettingField, in_words, offer_effort_once
from agents.form_parts.context_rows import context_field
from agents.form_parts.kinds import with_line_feeds
from agents.form_parts.processor_rows import processors_field
from agents.mcp.models import McpServer
from agents.model_facts import described
from agents.models import SiteDefaults, site_layer
from agents.networks.admin import agent_choices
from agents.tools import TOOLS
from history.core.settings.layers import Layer
from history.core.settings.output import EFFORT
from history.core.settings.resolved import Settings
from history.core.settings.spec import Choice, LayerName, shown_value
from history.core.settings.table import BY_NAME, SETTINGS
from history.wording.remembering import remembers

PREFIX = "history_"
POLICIES = {
    "all": _("Everything"),
    "lastN": _("The last turns"),
    "none": _("Only the new message"),
}
FACTS = '{}<div data-part="model">{}</div>'
WINDOW = {
    "length": _("A turn is a user's message and its answer."),
    "length_stride": _("Larger steps use the provider's cache better."),
}
F = TypeVar("F", bound="type[HistorySettingsForm]")


class HistorySettingsForm(GuardedForm):
    """A form that shows the JSON field `history_settings` as fields, and writes them back into
    it.
    """

    layer: ClassVar[LayerName]
    setting_fields: ClassVar[dict[str, SettingField]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        resolved = effective()
        self._say_what_is_remembered()
        self._say_which_effort_is_the_default()
        for name, declared in self.setting_fields.items():
            setting = declared.spec.name
            self.initial.setdefault(name, self.instance.history_settings.get(setting))
            winner = resolved[setting].winner
            if winner.layer is LayerName.ENVIRONMENT:
                cast(SettingField, self.fields[name]).lock(winner)

    def _say_what_is_remembered(self) -> None:
        """Explain the first three settings together: they decide what is remembered."""
        policy = self.fields[PREFIX + "policy"]
        default = remembers(self.inherited())
        policy.help_text = ""  # The choices say it.
        names = cast(Choice, BY_NAME["policy"].kind).values
        choices = POLICIES | {name: name for name in names if name not in POLICIES}
        policy.widget = forms.RadioSelect(
            choices=[("", _("Default: {what}").format(what=default)), *choices.items()]
        )
        for name, words in WINDOW.items():
            field = self.fields[PREFIX + name]
            field.help_text = words
            field.widget.attrs["placeholder"] = shown_value(self.inherited().value(name))

    def _say_which_effort_is_the_default(self) -> None:
        field = cast(SettingField, self.fields[PREFIX + EFFORT])
        applies, own = self.inherited().value(EFFORT), self.instance.history_settings.get(EFFORT)
        default = _("default ({value})").format(value=in_words(field.spec, applies))
        offer_effort_once(cast(forms.Select, field.widget), default, applies, own)

    def inherited(self) -> Settings:
        """Resolve the settings that apply where the page leaves a field empty."""
        return effective()

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        own = {
            field.spec.name: values[name]
            for name, field in self.setting_fields.items()
            if values.get(name) is not None
        }
        self.instance.history_settings = own
        if not self.errors:
            for name, sentence in self.faults(Layer(self.layer, "this page", own)):
                self.add_error(PREFIX + name if name in BY_NAME else name, sentence)
        return values

    @abstractmethod
    def faults(self, own: Layer) -> Iterator[Fault]:
        """Yield contradictions that involve the page's own values; the preview warns of others."""


def with_setting_fields(layer: LayerName) -> Callable[[F], F]:
    """Add to a form a field for every setting that this layer may set."""

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
    """An agent's form. Tools are checkboxes; line ends in texts become LF, as in code."""

    processors = processors_field("agent", _("The site's processors run first."))
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
        super().__init__(*args, **kwargs)
        self._offer_tools()
        if slug := self.fields.get("slug"):
            slug.required = False
        if model := self.fields.get("model"):  # A read-only form has no such field.
            self._say_what_is_known(model)
            self.fields["system_prompt"].widget.attrs["rows"] = 6
        field = cast(forms.MultipleChoiceField, self.fields["asks"])
        field.choices = agent_choices(self.instance.asks, without=self.instance.slug)

    def _offer_tools(self) -> None:
        """Keep a chosen tool that no longer exists on the page, so that it can be deselected."""
        choices = {name: tool.description for name, tool in TOOLS.items()}
        choices |= {server.selection: _offered(server) for server in McpServer.objects.all()}
        gone = dict.fromkeys(self.instance.tools, _("this tool no longer exists"))
        cast(forms.MultipleChoiceField, self.fields["tools"]).choices = [
            (name, f"{name}: {words}") for name, words in (choices | gone | choices).items()
        ]

    def _say_what_is_known(self, model: forms.Field) -> None:
        """Offer the known models, and describe the one in the field, unless it can't be called."""
        default = _("{model} (default)").format(model=settings.DEFAULT_MODEL)
        attrs = {"list": "known-models", "spellcheck": "false", "placeholder": default}
        model.widget.attrs |= attrs
        value = self.data.get("model") if self.is_bound else self.initial.get("model")
        name = str(value or "").strip() or settings.DEFAULT_MODEL
        facts = "" if catalogue().fault(name) else f"{name}: {described(catalogue().facts(name))}"
        model.help_text = format_html(FACTS, model.help_text, facts)

    def faults(self, own: Layer) -> Iterator[Fault]:
        model = self.cleaned_data["model"] or settings.DEFAULT_MODEL
        output = Output(model, self.cleaned_data["output_limit"], own.source)
        return template_faults(own, self.site, output)

    @cached_property
    def site(self) -> Layer:
        return site_layer(SiteDefaults.objects.first())

    def inherited(self) -> Settings:
        return effective(self.site)

    def clean_slug(self) -> str:
        """Make a slug from the name, if none was given."""
        return str(self.cleaned_data["slug"] or slugify(self.cleaned_data.get("name", "")))

    def clean_system_prompt(self) -> str:
        return with_line_feeds(self.cleaned_data["system_prompt"])

    def clean_starters(self) -> str:
        return with_line_feeds(self.cleaned_data["starters"])

    def clean_tools(self) -> list[str]:
        return _in_stored_order(self.cleaned_data["tools"], self.instance.tools)

    def clean_asks(self) -> list[str]:
        return _in_stored_order(self.cleaned_data["asks"], self.instance.asks)


def _offered(server: McpServer) -> str:
    return ngettext(
        "{count} tool of the MCP server {name} ({state})",
        "all {count} tools of the MCP server {name} ({state})",
        count := len(server.listing["tools"]),
    ).format(count=count, name=server.name, state=server.shown_state)


def _in_stored_order(choice: list[str], order: list[str]) -> list[str]:
    """Keep the stored order: the model sees it, so a new order would count as a change."""
    names = [name for name in order if name in choice]
    return names + [name for name in choice if name not in names]


@with_setting_fields(LayerName.SITE)
class SiteDefaultsForm(HistorySettingsForm):
    """The form of the site's defaults: settings, and the processors of every agent."""

    processors = processors_field("history", _("They run for every agent, before its own."))

    def faults(self, own: Layer) -> Iterator[Fault]:
        return site_faults(own)

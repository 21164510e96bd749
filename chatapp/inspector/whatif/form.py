"""The form of the zone "What-if": it has the shown request's values; changed ones are tried."""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings as settings_now
from django.utils.translation import gettext as _

from agents.catalogue import catalogue
from agents.effective import without_room
from agents.fields import SettingField, choice_label
from agents.form_parts.kinds import sentence
from agents.models import AgentTemplate
from agents.snapshot import AgentSnapshot
from history.core.settings.resolved import Settings
from history.core.settings.spec import STRIDE, Boolean, Choice, LayerName, SettingSpec, Value
from history.core.settings.table import BY_NAME
from history.services.whatif.trying import Variant, reserving_settings, tried_settings
from history.wording.names import label_of

TRIED = (
    "policy",
    "length",
    "length_stride",
    "max_items",
    "context_window",
    "token_budget",
    "token_stride",
    "tool_results_keep",
    "results_stride",
    "images_keep",
    "images_stride",
    "files_keep",
    "files_stride",
    "prefix",
    "reasoning_keep",
    "reasoning_effort",
    "summarize",
)
MODEL = "model"
USUAL = ("policy", "length", "max_items", "token_budget", "tool_results_keep", "summarize", MODEL)


class TriedField(SettingField):
    """A field for a setting to try. Empty means: as if nobody had set the setting."""

    def __init__(self, spec: SettingSpec) -> None:
        super().__init__(spec)
        match spec.kind:
            case Choice():
                choices = [(name, choice_label(name, spec.words)) for name in spec.kind.names]
                self.widget = forms.Select(choices=choices)
            case Boolean():
                self.widget = forms.Select(choices=[("true", _("on")), ("false", _("off"))])
            case _:
                blank = _("off") if spec.default is None else spec.shown(spec.default)
                self.widget.attrs["placeholder"] = blank
        self.help_text = ""
        self.widget.attrs["class"] = "field"


class WhatIfForm(forms.Form):
    """The form of the zone "What-if". It reads an address's query, such as `set.length=8`. A
    setting whose parameter is missing was not changed.
    """

    def __init__(self, settings: Settings, agent: AgentSnapshot, query: Mapping[str, Any]) -> None:
        self.now = values_of(settings, agent)
        self.settings, self.agent = settings, agent
        fields = {name: TriedField(BY_NAME[name]) for name in TRIED}
        now = settings_now.HISTORY_ENVIRONMENT.values
        self.locked = frozenset(n for n in TRIED if n in now or settings[n].locked)
        unchanged = {self.add_prefix(name): as_typed(value) for name, value in self.now.items()}
        values = {name: query[name] for name in query if name in unchanged}
        super().__init__(unchanged | values)
        self.fields |= fields
        self.fields[MODEL] = forms.CharField(
            max_length=120,
            label=_("Model"),
            widget=forms.TextInput({"class": "field", "list": "whatif-models"}),
        )

    def add_prefix(self, field_name: str) -> str:
        return parameter(field_name)

    def clean_model(self) -> str:
        model = str(self.cleaned_data[MODEL])
        if model != self.now[MODEL] and (fault := catalogue().fault(model)):
            text = _("{why} The agents here use {models}.")
            why, models = sentence(fault), ", ".join(self.models)
            raise forms.ValidationError(text.format(why=why, models=models))
        return model

    def clean(self) -> dict[str, Any]:
        """Refuse a changed token budget that leaves nothing for messages under all the changes."""
        if not self.errors and "token_budget" in self.changes:
            settings = reserving_settings(self.settings, self.agent, self.variant)
            if fault := without_room(settings):
                self.add_error("token_budget", fault)
        return self.cleaned_data

    @property
    def changes(self) -> dict[str, Value | str | None]:
        """The differences from the shown request. The form must be valid."""
        values = self.cleaned_data
        return {name: values[name] for name in self.now if values[name] != self.now[name]}

    @property
    def tried(self) -> dict[str, Any]:
        """The values to compute with: a changed length is taken as exact, whatever the field for
        the stride says. The form must be valid.
        """
        return {
            **self.cleaned_data,
            STRIDE: tried_settings(self.settings, self.variant).value(STRIDE),
        }

    @property
    def without_length(self) -> list[str]:
        """The policies that don't use the length."""
        return [name for name, _label in self.fields["policy"].widget.choices if name != "lastN"]

    @property
    def usual(self) -> list[forms.BoundField]:
        return [self[name] for name in USUAL]

    @property
    def rarer(self) -> list[forms.BoundField]:
        """The fields that are folded, unless one of them was changed."""
        return [field for field in self if field.name not in USUAL]

    @property
    def is_rare(self) -> bool:
        """Whether a folded field was changed."""
        return any(as_typed(self.now[each.name]) != each.data for each in self.rarer)

    @property
    def free_changes(self) -> dict[str, Any]:
        """The changes of settings that the environment does not lock."""
        return {name: value for name, value in self.changes.items() if name not in self.locked}

    @property
    def takes(self) -> bool:
        """Whether a chat may set any of the changed settings for itself."""
        free = (BY_NAME[name] for name in self.free_changes.keys() - {MODEL})
        return any(spec.allows(LayerName.CONVERSATION) for spec in free)

    @property
    def held(self) -> str:
        """The labels of the changed settings that the environment locks."""
        return ", ".join(label_of(name) for name in self.changes if name in self.locked)

    @property
    def variant(self) -> Variant:
        settings = {name: value for name, value in self.changes.items() if name != MODEL}
        model = str(self.changes.get(MODEL, ""))
        return Variant(self.name, settings, model=model)

    @property
    def name(self) -> str:
        """The changes in words: `History policy lastN, History length 8`. A length that the policy
        doesn't use is not named beside others; a caution speaks of it.
        """
        changes = self.changes
        if len(changes) > 1 and self.cleaned_data["policy"] in self.without_length:
            changes.pop("length", None)
        words = (f"{self[name].label} {_shown(name, value)}" for name, value in changes.items())
        return ", ".join(words)

    @property
    def query(self) -> str:
        """The changes as an address's query."""
        return self._query(self.changes)

    def query_beside(self, present: Mapping[str, Value | str | None]) -> str:
        """The query for a comparison, which begins with the chat's present settings: also what
        differs from these without having been changed.
        """
        changed = self.changes
        return self._query(n for n in self.now if n in changed or self.now[n] != present[n])

    def _query(self, names: Iterable[str]) -> str:
        changes, values = self.changes, self.tried
        texts = {n: self[n].data if n in changes else as_typed(values[n]) for n in names}
        return urlencode({self.add_prefix(name): value for name, value in texts.items()})

    @property
    def models(self) -> list[str]:
        """The templates' models, as suggestions. They take a query when the form is shown."""
        names = AgentTemplate.objects.exclude(model="").values_list(MODEL, flat=True)
        return sorted({*names, str(self.now[MODEL])})


def values_of(settings: Settings, agent: AgentSnapshot) -> dict[str, Value | str | None]:
    """Return what can be tried, by name."""
    return {name: settings.value(name) for name in TRIED} | {MODEL: agent.model}


def parameter(name: str) -> str:
    """Return the name that a field of the form has in an address."""
    return f"set.{name}"


def as_typed(value: Value | str | None) -> str:
    """Write a value as a person would type it into its field."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown(name: str, value: object) -> str:
    """Write a value; for one that was removed, write the default: `default (20)`."""
    if name not in BY_NAME:
        return str(value)
    spec = BY_NAME[name]
    if value is None and spec.default is not None:
        return _("default ({value})").format(value=spec.shown(spec.default))
    return spec.shown(value) or _("default")

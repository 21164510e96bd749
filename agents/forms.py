"""The admin's forms: one field for each history setting, made from the settings table.

They name no model: the admin's pages give them theirs.
"""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar, cast

from django import forms
from django.core.exceptions import ValidationError

from agents.preview import effective, shown
from agents.tools import TOOLS
from history.core.kinds import MOST, Boolean, Choice, Integer, Value
from history.core.resolution import LayerName
from history.core.settings import SETTINGS, SettingSpec
from history.core.wording import printable

PREFIX = "history_"
F = TypeVar("F", bound="type[HistorySettingsForm]")


class SettingField(forms.Field):
    """Empty means not set here: a lower layer decides, and `clean` gives None."""

    def __init__(self, spec: SettingSpec) -> None:
        super().__init__(
            required=False, label=spec.label, help_text=spec.help, widget=_widget(spec)
        )
        self.spec = spec

    def to_python(self, value: Any) -> Value | None:
        if value in self.empty_values:
            return None
        try:
            return self.spec.kind.from_text(value)
        except ValueError as error:
            raise ValidationError(f"{self.spec.name}={printable(value)}: {error}") from error

    def prepare_value(self, value: Any) -> Any:
        return shown(value) if isinstance(value, bool) else value


def _widget(spec: SettingSpec) -> forms.Widget:
    match spec.kind:
        case Choice(values):
            return _select(*values)
        case Boolean():
            return _select("true", "false")
        case Integer(minimum, maximum):
            upper = {} if maximum == MOST else {"max": maximum}
            return forms.NumberInput({"min": minimum, **upper})
    raise NotImplementedError(f"{spec.name}: no form field for a {type(spec.kind).__name__}")


def _select(*values: str) -> forms.Select:
    return forms.Select(choices=[("", "not set here"), *((value, value) for value in values)])


class HistorySettingsForm(forms.ModelForm):
    """Shows the JSON field `history_settings` as fields, and writes them back into it."""

    setting_fields: ClassVar[dict[str, SettingField]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        resolved = effective()
        for name, declared in self.setting_fields.items():
            setting = declared.spec.name
            self.initial.setdefault(name, self.instance.history_settings.get(setting))
            if resolved[setting].winner.layer is LayerName.ENVIRONMENT:
                winner = resolved[setting].winner
                self.fields[
                    name
                ].help_text += f" Locked by {winner.source} = {shown(winner.value)}."

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self.instance.history_settings = {
            field.spec.name: cleaned[name]
            for name, field in self.setting_fields.items()
            if cleaned.get(name) is not None
        }
        return cleaned


def with_setting_fields(layer: LayerName) -> Callable[[F], F]:
    """Give a form the fields of every setting that this layer may set."""

    def declare(form: F) -> F:
        fields = {PREFIX + spec.name: SettingField(spec) for spec in SETTINGS if spec.allows(layer)}
        form.setting_fields = fields
        form.declared_fields.update(fields)
        form.base_fields.update(fields)
        return form

    return declare


@with_setting_fields(LayerName.TEMPLATE)
class AgentTemplateForm(HistorySettingsForm):
    """Adds the tools as boxes to tick; texts keep the line ends they have in code."""

    tools = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """A stored tool that is gone stays on the page, for the administrator to untick."""
        super().__init__(*args, **kwargs)
        gone = [name for name in self.instance.tools if name not in TOOLS]
        cast(forms.MultipleChoiceField, self.fields["tools"]).choices = [
            *((name, f"{name}: {tool.description}") for name, tool in TOOLS.items()),
            *((name, f"{name}: no such tool any more") for name in gone),
        ]

    def clean_system_prompt(self) -> str:
        return _lines(self.cleaned_data["system_prompt"])

    def clean_starters(self) -> str:
        return _lines(self.cleaned_data["starters"])


def _lines(text: str) -> str:
    """A browser posts CR LF for every line end."""
    return text.replace("\r\n", "\n")


@with_setting_fields(LayerName.SITE)
class SiteDefaultsForm(HistorySettingsForm):
    """The settings and nothing else."""

"""Form fields for the settings of the table, and for lists written as JSON."""

import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.fields import InvalidJSONInput
from django.utils.choices import CallableChoiceIterator
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from agents.context.facts import KNOWN
from history.core.errors import Unfit
from history.core.json_text import read_json
from history.core.settings.layers import unfit_for
from history.core.settings.spec import (
    Boolean,
    Choice,
    Integer,
    ModelName,
    SettingSpec,
    Value,
    shown,
)
from history.core.storable import storing_fault
from history.wording.faults import fault

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

EXAMPLE = [
    {"use": "tool_call_filter", "exclude": ["debug_tool"], "persist_results": True},
    {"use": "token_limiter", "limit": 16_000},
]

CONTEXT_EXAMPLE = [{"name": "date", "text": "Today is {weekday}, {date}."}, {"use": "notes"}]


class SettingField(forms.Field):
    """Empty means that a lower layer decides; `clean` then returns None."""

    def __init__(self, spec: SettingSpec) -> None:
        super().__init__(
            required=False, label=_(spec.label), help_text=_help(spec), widget=_widget(spec)
        )
        self.spec = spec

    def to_python(self, value: Any) -> Value | None:
        if value in self.empty_values:
            return None
        try:
            return self.spec.kind.from_text(value)
        except Unfit as unfit:
            raise ValidationError(fault(unfit_for(self.spec.name, value, unfit).fact)) from unfit

    def prepare_value(self, value: Any) -> Any:
        return shown(value) if isinstance(value, bool) else value


def _checked(text: str) -> Any:
    """Read JSON typed into a page. Raise ValueError if it cannot be read or stored."""
    value = read_json(text, each_name_once=True)
    if fault := storing_fault(value):
        raise ValueError(fault)
    return value


class ListField(forms.JSONField):
    """A list as indented JSON. Empty is an empty list."""

    widget = forms.Textarea({"rows": 6, "spellcheck": "false"})

    def __init__(
        self, label: "StrOrPromise", help_text: "StrOrPromise", example: list[Any]
    ) -> None:
        text = format_lazy(
            _("{help} Example: {example}"), help=help_text, example=json.dumps(example)
        )
        super().__init__(required=False, label=label, help_text=text)

    def to_python(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value or []
        try:
            return _checked(value) if value.strip() else []
        except ValueError as error:
            raise ValidationError(_("This text {fault}.").format(fault=error)) from error

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Show invalid text again as typed."""
        try:
            return None if data is None else _checked(data)
        except ValueError:
            return InvalidJSONInput(data)

    def prepare_value(self, value: Any) -> Any:
        return json.dumps(value, indent=2) if isinstance(value, list) else value


class NamesField(forms.CharField):
    """A list of names, one per line."""

    widget = forms.Textarea({"rows": 3, "spellcheck": "false"})

    def to_python(self, value: Any) -> Any:
        lines = value.splitlines() if isinstance(value, str) else value or []
        names = [line.strip() for line in lines if line.strip()]
        if repeated := sorted({name for name in names if names.count(name) > 1}):
            sentence = _("Listed more than once: {names}. Remove the repeated lines.")
            raise ValidationError(sentence.format(names=", ".join(repeated)))
        return names

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value


def processors_field(when: "StrOrPromise") -> ListField:
    what = _("Processors change what the model sees. A JSON list, run in order. {when}")
    return ListField(_("Processors"), format_lazy(what, when=when), EXAMPLE)


def context_field() -> ListField:
    what = _(
        "A JSON list of texts added to every request. They go just before the current message, so "
        'that the provider\'s cache of everything before them stays valid; "place": "start" '
        "puts a text first instead. Placeholders: {placeholders}. Providers registered in "
        "CONTEXT_PROVIDERS are used by name."
    )
    return ListField(_("Context"), format_lazy(what, placeholders=KNOWN), CONTEXT_EXAMPLE)


def _help(spec: SettingSpec) -> "StrOrPromise":
    default = _(spec.shown(spec.default))
    return format_lazy(_("{help} Default: {default}."), help=_(spec.help), default=default)


def _widget(spec: SettingSpec) -> forms.Widget:
    match spec.kind:
        case Choice() as choice:
            options = CallableChoiceIterator(lambda: _options(*choice.names))
            return forms.Select(choices=options)
        case Boolean():
            return forms.Select(choices=_options("true", "false"))
        case Integer(minimum, maximum):
            return forms.NumberInput({"min": minimum, "max": maximum})
        case ModelName(longest):
            return forms.TextInput({"maxlength": longest})
    raise NotImplementedError(f"{spec.name}: no form field for a {type(spec.kind).__name__}")


def _options(*values: str) -> "list[tuple[str, StrOrPromise]]":
    return [("", _("default")), *((value, value) for value in values)]

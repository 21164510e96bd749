"""Form fields for what the settings table and the chain of processors hold."""

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.fields import InvalidJSONInput
from django.utils.choices import CallableChoiceIterator

from agents.context.facts import KNOWN
from history.core.json_text import read_json
from history.core.settings.kinds import Boolean, Choice, Integer, ModelName, Value
from history.core.settings.spec import shown
from history.core.settings.table import SettingSpec
from history.core.storable import text_fault
from history.core.wording import printable

EXAMPLE = [
    {"use": "tool_call_filter", "exclude": ["debug_tool"], "persist_results": True},
    {"use": "token_limiter", "limit": 16_000},
]

CONTEXT_EXAMPLE = [{"name": "date", "text": "Today is {weekday}, {date}."}, {"use": "notes"}]


class SettingField(forms.Field):
    """Empty means not set here: a lower layer decides, and `clean` gives None."""

    def __init__(self, spec: SettingSpec) -> None:
        super().__init__(
            required=False, label=spec.label, help_text=_help(spec), widget=_widget(spec)
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


def _checked(text: str) -> Any:
    """JSON of a page. Raises ValueError for what cannot be read, or no database holds."""
    value = read_json(text, each_name_once=True)
    if fault := text_fault(value):
        raise ValueError(fault)
    return value


class ListField(forms.JSONField):
    """A list as JSON, laid out to be read. Empty is an empty list."""

    widget = forms.Textarea({"rows": 6, "spellcheck": "false"})

    def __init__(self, help_text: str, example: list[Any]) -> None:
        example_text = f" For example: {json.dumps(example)}"
        super().__init__(required=False, help_text=help_text + example_text)

    def to_python(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value or []
        try:
            return _checked(value) if value.strip() else []
        except ValueError as error:
            raise ValidationError(f"This {error}.") from error

    def bound_data(self, data: Any, initial: Any) -> Any:
        """What cannot be read is shown again as it was typed."""
        try:
            return None if data is None else _checked(data)
        except ValueError:
            return InvalidJSONInput(data)

    def prepare_value(self, value: Any) -> Any:
        return json.dumps(value, indent=2) if isinstance(value, list) else value


def processors_field(whose: str) -> ListField:
    what = "What takes messages out before they are sent, in order, as JSON."
    return ListField(f"{what} {whose}", EXAMPLE)


def context_field() -> ListField:
    return ListField(
        "Texts that are made anew for every turn, as JSON. They stand just before the current "
        'message, so that the provider\'s cache keeps what is before them; "place": "start" puts '
        f"one ahead of everything. Filled in: {KNOWN}. A provider that is registered in "
        "CONTEXT_PROVIDERS is used by its name.",
        CONTEXT_EXAMPLE,
    )


def _help(spec: SettingSpec) -> str:
    return f"{spec.help} Where nobody sets it: {spec.shown(spec.default)}."


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


def _options(*values: str) -> list[tuple[str, str]]:
    return [("", "not set here"), *((value, value) for value in values)]

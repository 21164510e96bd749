"""The rows of a chain of processors: the built-in ones with their options, and registered ones."""

import inspect
import json
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from agents.fields import widget_of
from agents.form_parts.field import RowsField
from agents.form_parts.kinds import RowInput, RowKind, checked_json, json_kind
from agents.form_parts.widget import RowFault
from history.core.settings import registry
from history.core.settings.options import Names
from history.core.settings.spec import Boolean, ValueKind
from history.core.stages.processors import PROCESSORS, parse_levels
from history.core.words.errors import SettingErrors, Unfit
from history.core.words.facts import Fact, Rule
from history.wording.faults import plain, word_fault, word_rule
from history.wording.names import PROCESSOR_NAMES

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LABELS: "dict[str, StrOrPromise]" = {
    **{name: _(label) for name, label in PROCESSOR_NAMES.items()},
    "exclude": _("Only calls of these tools"),
    "include": _("All calls but those of these tools"),
    "persist_results": _("Say which tools were used"),
    "limit": _("Tokens"),
}
HELP: "dict[str, StrOrPromise]" = {
    "tool_call_filter": _("With no tool named, all calls are removed with their results."),
    "token_limiter": _("Keeps the newest messages that fit."),
    "exclude": _("One name per line."),
    "include": _("One name per line. Use either this or the field before it."),
    "persist_results": _("Leaves a short note in place of the removed calls."),
}


def processor_kinds() -> list[RowKind]:
    own = [
        RowKind(name, LABELS.get(name, name), tuple(map(_input, fields(processor))), {"use": name},
                HELP.get(name, ""))
        for name, processor in PROCESSORS.items()
    ]  # fmt: skip
    registered = [
        RowKind(name, name, tuple(_parameters(factory)), {"use": name})
        for name, factory in registry.processors.items()
    ]
    return [*own, *registered, json_kind(_("As JSON"))]


def processors_field(level: str, when: "StrOrPromise") -> RowsField:
    what = format_lazy(_("They change what the model sees, in this order. {when}"), when=when)
    return RowsField(_("Processors"), what, processor_kinds, lambda specs: _faults(level, specs))


def _faults(level: str, specs: object) -> list[RowFault]:
    try:
        parse_levels({level: specs})
    except SettingErrors as error:
        return [_row_fault(each) for each in error.by_setting.values()]
    return []


def _row_fault(fault: Fact) -> RowFault:
    if fault.rule is not Rule.BAD_PROCESSOR:
        return 0, word_fault(fault)
    return fault.figures["place"], plain(Fact.from_dict(fault.figures["why"]))


def _input(option: "Field[Any]") -> RowInput:
    """Make the field of a built-in processor's option."""
    name = option.name
    label, words = LABELS.get(name, name), HELP.get(name, "")
    kind: Names | ValueKind = option.metadata["kind"]
    match kind:
        case Names():
            area = forms.Textarea({"rows": 2, "spellcheck": "false"})
            return RowInput(name, label, words, area, "\n".join, _names)
        case Boolean():
            choice = forms.Select(choices=[("", _("no")), ("true", _("yes"))])
            return RowInput(name, label, words, choice, _of_boolean, _reading(kind), usual=False)
        case _:
            return RowInput(
                *(name, label, words, widget_of(kind), str, _reading(kind)),
                is_required=option.default is MISSING,
            )


def _of_boolean(value: object) -> str:
    return "true" if value else ""


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.splitlines() if name.strip()]


def _reading(kind: ValueKind) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            return kind.from_text(text.strip())
        except Unfit as unfit:
            raise ValueError(word_rule(unfit.fact)) from unfit

    return read


def _parameters(factory: Callable[..., Any]) -> Iterator[RowInput]:
    """Yield the options of a registered processor: its factory's parameters by name."""
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):
        return
    for each in parameters:
        if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY):
            usual = None if each.default is each.empty else each.default
            words = format_lazy(_("Default: {value}."), value=_any_text(usual)) if usual else ""
            yield RowInput(each.name, each.name, words, text_of=_any_text, read=_any_value)


def _any_text(value: Any) -> str:
    """Write a value as JSON; a text stays as it is unless it would be read as another value."""
    is_text = isinstance(value, str) and _any_value(value) == value
    return value if is_text else json.dumps(value, default=str)


def _any_value(text: str) -> Any:
    try:
        return checked_json(text)
    except ValueError:
        return text

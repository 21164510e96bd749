"""Form fields for the settings of the table, and for lists of names."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, assert_never, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.choices import CallableChoiceIterator
from django.utils.html import format_html
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from agents.form_parts.kinds import sentence
from history.core.settings.parts import UNSET_EFFORT
from history.core.settings.resolved import Candidate
from history.core.settings.spec import (
    Boolean,
    Choice,
    Integer,
    ModelName,
    SettingSpec,
    Value,
    ValueKind,
    shown_value,
)
from history.core.words.errors import Unfit
from history.wording.deciding.sources import source_name
from history.wording.faults import word_rule

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NO_WORDS: Mapping[str, str] = MappingProxyType({})
UNSET = ("", _("default"))
LOCKED = '{} <strong class="locked">{}</strong>'


class SettingField(forms.Field):
    """A field for a setting. If it is empty, a lower layer decides, and `clean` returns None."""

    def __init__(self, spec: SettingSpec) -> None:
        super().__init__(
            required=False,
            label=_(spec.label),
            help_text=_help(spec),
            widget=widget_of(spec.kind, spec.words),
        )
        self.spec = spec
        self._locked: Value | None = None

    def lock(self, winner: Candidate) -> None:
        """Show the environment's value and the name of its variable. The stored value stays
        unchanged.
        """
        self.disabled, self._locked = True, winner.value
        words = _("Set to {value} by {source}.").format(
            value=in_words(self.spec, winner.value), source=source_name(winner)
        )
        self.help_text = format_html(LOCKED, self.help_text, words)

    def to_python(self, value: Any) -> Value | None:
        if value in self.empty_values:
            return None
        if self.disabled:
            return cast(Value, value)
        try:
            return self.spec.kind.from_text(value)
        except Unfit as unfit:
            raise ValidationError(self.refused(value, unfit)) from unfit

    def refused(self, value: Any, unfit: Unfit) -> str:
        """Say what is wrong, without the setting's name: the sentence stands beside the field."""
        return sentence(word_rule(unfit.fact))

    def prepare_value(self, value: Any) -> Any:
        value = self._locked if self.disabled else value
        return shown_value(value) if isinstance(value, bool) else value


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


def _help(spec: SettingSpec) -> "StrOrPromise":
    default = format_lazy(_("Default: {default}."), default=in_words(spec, spec.default))
    sentences = [*map(_, filter(None, (spec.help, spec.advice))), default]
    return format_lazy(" ".join(["{}"] * len(sentences)), *sentences)


def in_words(spec: SettingSpec, value: Value | None) -> "StrOrPromise":
    """Write a value for somebody who chooses: by what it means, if it is a word to be typed."""
    return _(spec.words.get(str(value), spec.shown(value)))


def widget_of(kind: ValueKind, words: Mapping[str, str] = NO_WORDS) -> forms.Widget:
    """Return a widget for a value. `words` say what the values of a choice mean."""
    match kind:
        case Choice():
            options = CallableChoiceIterator(lambda: _options(kind.names, words))
            return forms.Select(choices=options)
        case Boolean():
            return forms.Select(choices=[UNSET, ("true", _("on")), ("false", _("off"))])
        case Integer(minimum, maximum):
            return forms.NumberInput({"min": minimum, "max": maximum})
        case ModelName(longest):
            return forms.TextInput({"maxlength": longest})
        case _:
            assert_never(kind)


def _options(values: Iterable[str], words: Mapping[str, str]) -> "list[tuple[str, StrOrPromise]]":
    return [UNSET, *((value, _(words.get(value, value))) for value in values)]


def offer_effort_once(
    widget: forms.Select, empty: "StrOrPromise", applies: Value, own: Value | None
) -> None:
    """Word the choice of nothing as `empty`; then the value that `applies` is in force. If that
    leaves the effort to the provider, don't offer the same as a value, unless it is stored.
    """
    _unset, *others = widget.choices
    is_same = applies == UNSET_EFFORT != own
    choices = [each for each in others if not (is_same and each[0] == UNSET_EFFORT)]
    widget.choices = [("", empty), *choices]


def choice_label(value: str, words: Mapping[str, str]) -> "StrOrPromise":
    """Label a choice with the value that a person would type, and its meaning, unless that begins
    with the value.
    """
    if value not in words:
        return value
    if words[value].startswith(f"{value} "):
        return _(words[value])
    return format_lazy(_("{value}: {meaning}"), value=value, meaning=_(words[value]))

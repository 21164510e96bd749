"""The conversation's own settings as fields. Each shows the value that applies if it is empty."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _

from agents.fields import SettingField, offer_effort_once
from chatapp.pages.settings.for_chat import QUESTION, WITHOUT_LENGTH, SettingsForChat, written
from history.core.settings.spec import Integer, LayerName, SettingSpec, Value
from history.core.settings.table import SETTINGS
from history.core.words.errors import SettingErrors
from history.core.words.wording import number
from history.wording.faults import plain

OF_ANSWERS = ("reasoning_effort",)  # Settings of how the model answers, not of what it sees.
OWN = tuple(spec for spec in SETTINGS if spec.allows(LayerName.CONVERSATION))


class MemoryField(SettingField):
    """A text field for numbers, because a number field would turn bad input into nothing."""

    def __init__(self, spec: SettingSpec, standing: SettingsForChat) -> None:
        super().__init__(spec)
        self.help_text = standing.hint(spec)
        self.most = standing.most_of(spec)
        below = standing.below.value(spec.name)
        if isinstance(self.widget, forms.Select):
            default = _("Default ({value})").format(value=written(spec, below))
            offer_effort_once(self.widget, default, below, standing.own.get(spec.name))
        else:
            meaning = _(spec.shown(below))  # Such as `0 (all)`; elsewhere 0 means none.
            self.widget = forms.TextInput({"inputmode": "numeric", "placeholder": meaning})
        self.widget.attrs |= {"class": "field", "autocomplete": "off"}

    def to_python(self, value: Any) -> Value | None:
        try:
            return super().to_python(value.strip() if isinstance(value, str) else value)
        except ValidationError as error:
            if isinstance(self.spec.kind, Integer):
                raise ValidationError(self._bounds(self.spec.kind)) from error
            raise

    def _bounds(self, kind: Integer) -> str:
        """Say which numbers are allowed. The history window's have no separators, because people
        know this sentence from other chat programs.
        """
        write = str if self.spec.name == "max_items" else number
        text = _(
            "Enter a whole number from {least} to {most}, or leave this empty for the default."
        )
        return text.format(least=write(kind.minimum), most=write(self.most or kind.maximum))


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A row for one setting: a field, or the present value and why it is locked."""

    spec: SettingSpec
    field: BoundField | None
    value: str
    lock: str


class MemoryForm(forms.Form):
    """A field for each setting that is not locked. An empty field means None: not set here."""

    def __init__(self, standing: SettingsForChat, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.standing = standing
        for spec in OWN:
            if not standing.lock(spec):
                self.fields[spec.name] = MemoryField(spec, standing)
                self.initial[spec.name] = standing.own.get(spec.name)

    def clean(self) -> dict[str, Any]:
        """Drop an ignored length. Refuse what a cap would lower."""
        if self._ignores_length and "length" in self.cleaned_data:
            self.cleaned_data["length"] = None
        for name, value in list(self.cleaned_data.items()):
            if sentence := self.standing.too_much(name, value):
                self.add_error(name, sentence)
        return self.cleaned_data

    @property
    def _ignores_length(self) -> bool:
        return self.cleaned_data.get("policy") in WITHOUT_LENGTH

    @property
    def decided(self) -> tuple[str, ...]:
        """The settings that this form decides: those with a value, and a length that it ignores."""
        decided = {name for name, value in self.cleaned_data.items() if value is not None}
        decided |= {"length"} if self._ignores_length else set()
        return tuple(name for name in self.fields if name in decided)

    def refusing(self, errors: SettingErrors) -> "MemoryForm":
        """Return the form with errors on settings that contradict each other."""
        for name, wrong in errors.by_setting.items():
            self.add_error(name, plain(wrong))
        return self

    @property
    def asks(self) -> bool:
        """Whether people can choose what is remembered; otherwise the form says what, and why."""
        return all(name in self.fields for name in QUESTION)

    @property
    def remember(self) -> str:
        """The chosen policy, or empty for the usual memory."""
        if self.is_bound:
            return str(self.data.get("policy", ""))
        own = self.standing.own
        is_last = "length" in own and self.standing.below.value("policy") == "lastN"
        return str(own.get("policy", "lastN" if is_last else ""))

    @property
    def folds(self) -> Iterator[tuple[str, list[MemoryRow], bool]]:
        """Yield each fold's name and settings, and whether any of them has a value or an error."""
        own_names = {*self.standing.own, *self.errors}
        others = {spec.name for spec in OWN}.difference(QUESTION, OF_ANSWERS)
        for label, names in ((_("More"), others), (_("How the model answers"), OF_ANSWERS)):
            rows = [row for row in self.rows() if row.spec.name in names]
            yield label, rows, not own_names.isdisjoint(names)

    def rows(self) -> Iterator[MemoryRow]:
        for spec in OWN:
            field = self[spec.name] if spec.name in self.fields else None
            value = _(spec.shown(self.standing.resolved.value(spec.name)))
            yield MemoryRow(spec, field, value, self.standing.lock(spec))

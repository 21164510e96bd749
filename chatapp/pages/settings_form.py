"""The conversation's own settings as fields, each showing the value that applies if left empty."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _

from agents.effective import contradictions_of
from agents.fields import SettingField
from history.core.settings.resolved import Settings
from history.core.settings.spec import Integer, LayerName, SettingSpec, Value
from history.core.settings.table import SETTINGS
from history.wording.settings import reason_of, source_of

OWN = tuple(spec for spec in SETTINGS if spec.allows(LayerName.CONVERSATION))


class MemoryField(SettingField):
    """A text field for a number: a browser's number field would turn bad input into nothing."""

    def __init__(self, spec: SettingSpec, hint: str, placeholder: str) -> None:
        super().__init__(spec)
        self.help_text = hint
        if isinstance(spec.kind, Integer):
            self.widget = forms.TextInput({"inputmode": "numeric", "placeholder": placeholder})
        self.widget.attrs |= {"class": "field", "autocomplete": "off"}

    def to_python(self, value: Any) -> Value | None:
        try:
            return super().to_python(value.strip() if isinstance(value, str) else value)
        except ValidationError as error:
            if isinstance(self.spec.kind, Integer):
                raise ValidationError(_bounds(self.spec, self.spec.kind)) from error
            raise


@dataclass(frozen=True, slots=True)
class SettingsForChat:
    """The next message's settings: `resolved`, and `below` without this chat's own.

    `refusal` says why this person may set none at all; empty: they may.
    """

    own: Mapping[str, Value]
    resolved: Settings
    below: Settings
    refusal: str = ""

    def lock(self, spec: SettingSpec) -> str:
        """Say why nothing may be set here; empty if it may."""
        setting = self.resolved[spec.name]
        if setting.winner.layer is LayerName.ENVIRONMENT:
            return _("Locked by {source}.").format(source=source_of(setting.winner))
        if setting.locked:
            return _("Locked, because the environment sets the policy or the length.")
        why = self.refusal
        return _("You can't change this: {why}.").format(why=why) if why else ""

    def hint(self, spec: SettingSpec) -> str:
        below = self.below[spec.name].winner
        value, default = _(spec.shown(below.value)), _("Default: {value}.")
        if below.layer is not LayerName.BUILT_IN:
            default = _("Default: {value} (from {source}).")
        parts = _(spec.help), default.format(value=value, source=source_of(below)), self._used(spec)
        return " ".join(filter(None, parts))

    def _used(self, spec: SettingSpec) -> str:
        """Return the value in force, if it overrides this chat's own."""
        winner = self.resolved[spec.name].winner
        is_outranked = winner.layer is not LayerName.CONVERSATION
        if spec.name not in self.own or not (is_outranked or winner.capped):
            return ""
        source = _("from {source}").format(source=source_of(winner))
        why = reason_of(winner) if winner.capped else source
        value = _(spec.shown(winner.value))
        return _("Currently used: {value} ({why}).").format(value=value, why=why)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Contradictions in this chat's own settings."""
        return contradictions_of(LayerName.CONVERSATION, self.resolved)


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One setting: a field, or the present value and the lock."""

    spec: SettingSpec
    field: BoundField | None
    value: str
    lock: str


class MemoryForm(forms.Form):
    """Has a field for each setting that is not locked. Empty is None: not set here."""

    def __init__(self, standing: SettingsForChat, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.standing = standing
        for spec in OWN:
            if not standing.lock(spec):
                below = _(spec.shown(standing.below.value(spec.name)))
                self.fields[spec.name] = MemoryField(spec, standing.hint(spec), below)
                self.initial[spec.name] = standing.own.get(spec.name)

    def rows(self) -> Iterator[MemoryRow]:
        for spec in OWN:
            field = self[spec.name] if spec.name in self.fields else None
            value = _(spec.shown(self.standing.resolved.value(spec.name)))
            yield MemoryRow(spec, field, value, self.standing.lock(spec))


def _bounds(spec: SettingSpec, kind: Integer) -> str:
    """Write the bounds without separators, as people know them from other chats."""
    sentence = _("Must be an integer between {least} and {most} (or empty to unset it)")
    if spec.default is None:
        sentence = _("Must be an integer between {least} and {most} (or empty to disable)")
    return sentence.format(least=kind.minimum, most=kind.maximum)

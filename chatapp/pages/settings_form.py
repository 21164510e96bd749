"""The conversation's own settings as fields. Each shows the value that applies if it is empty."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agents.effective import contradictions_of
from agents.fields import SettingField
from history.core.settings.caps import NO_CAPS, Cap, Caps
from history.core.settings.layers import Refusal
from history.core.settings.resolution import locked_by
from history.core.settings.resolved import Settings
from history.core.settings.spec import Integer, LayerName, SettingSpec, Value, shown_value
from history.core.settings.table import BY_NAME, SETTINGS
from history.core.words.errors import SettingErrors
from history.core.words.wording import number
from history.wording.deciding.allowing import allowed, most, most_turns
from history.wording.deciding.locks import why_locked
from history.wording.deciding.sources import in_brackets, source_of, why_refused
from history.wording.faults import plain
from history.wording.remembering import remembers, set_by

QUESTION = ("policy", "length")  # Most people look for these settings; the others are further down.
LABELS = {"pruner": gettext_lazy("Over the token budget, leave out")}
OF_ANSWERS = ("reasoning_effort",)  # Settings of how the model answers, not of what it sees.
WITHOUT_LENGTH = {"all", "none"}  # Policies that ignore the length.
OWN = tuple(spec for spec in SETTINGS if spec.allows(LayerName.CONVERSATION))


class MemoryField(SettingField):
    """A text field for numbers, because a number field would turn bad input into nothing."""

    def __init__(self, spec: SettingSpec, standing: "SettingsForChat") -> None:
        super().__init__(spec)
        self.label, self.help_text = LABELS.get(spec.name, self.label), standing.hint(spec)
        self.most = standing.most_of(spec)
        below = standing.below.value(spec.name)
        if isinstance(self.widget, forms.Select):
            _unset, *others = self.widget.choices
            default = _("Default ({value})").format(value=_written(spec, below))
            self.widget.choices = [("", default), *others]
        else:
            meaning = _(spec.shown(below))  # Such as `0 (all)`; elsewhere 0 means none.
            self.widget = forms.TextInput({"inputmode": "numeric", "placeholder": meaning})
        self.widget.attrs |= {"class": "field", "autocomplete": "off"}

    def to_python(self, value: Any) -> Value | None:
        try:
            return super().to_python(value.strip() if isinstance(value, str) else value)
        except ValidationError as error:
            if isinstance(self.spec.kind, Integer):
                raise ValidationError(_bounds(self.spec.kind, self.most)) from error
            raise


@dataclass(frozen=True, slots=True)
class SettingsForChat:
    """The settings for the next message: `resolved`, and `below` without those of this chat.

    `refusal` says why this person may set none at all. `caps` are the most that the server allows.
    Only staff read the names of the server's variables.
    """

    own: Mapping[str, Value]
    resolved: Settings
    below: Settings
    refusal: Refusal | None = None
    caps: Caps = NO_CAPS
    is_staff: bool = False

    def lock(self, spec: SettingSpec) -> str:
        """Say why this setting can't be changed here; empty if it can."""
        if locked := why_locked(self.resolved, spec.name, is_staff=self.is_staff):
            return locked
        refused = _("You can't change this: {why}.")
        return refused.format(why=why_refused(self.refusal.who)) if self.refusal else ""

    def hint(self, spec: SettingSpec) -> str:
        below = self.below[spec.name].winner
        value, default = _written(spec, below.value), _("Default: {value}.")
        if below.layer is not LayerName.BUILT_IN and not below.capped:
            default = _("Default: {value} (from {source}).")
        default = default.format(value=value, source=source_of(below))
        most = self._most(spec.name)
        advice = _(spec.advice) if spec.advice and not most else ""
        return " ".join(filter(None, (_(spec.help), advice, default, most, self._used(spec))))

    def _most(self, name: str) -> str:
        cap = self.caps.on(self.resolved[name])
        return most(self.resolved, name, cap, is_staff=self.is_staff) if cap else ""

    def most_of(self, spec: SettingSpec) -> int | None:
        """Return the highest value that the setting may have here; None if it is not a number."""
        if not isinstance(spec.kind, Integer):
            return None
        cap = self.caps.on(self.resolved[spec.name])
        return min(spec.kind.maximum, cap.most if cap else spec.kind.maximum)

    def _used(self, spec: SettingSpec) -> str:
        """Say which value is in force if it is not this chat's own; empty if it is."""
        winner = self.resolved[spec.name].winner
        is_own = winner.layer is LayerName.CONVERSATION and not winner.capped
        if is_own or spec.name not in self.own:
            return ""
        value = _(spec.shown(winner.value))
        if winner.capped:  # The form names the maximum already.
            return _("Currently used: {value}.").format(value=value)
        text = _("Currently used: {value} (from {source}).")
        return text.format(value=value, source=source_of(winner))

    def too_much(self, name: str, value: Value | None) -> str:
        """Say that the server allows less than this value; empty if it allows the value."""
        cap = self.caps.on(self.resolved[name])
        if cap is None or value is None or int(value) <= cap.most:
            return ""
        text = _("{value} is too much: the server allows at most {most}{variable}.")
        variable = in_brackets(cap.variable, is_staff=self.is_staff)
        return text.format(value=shown_value(value), most=number(cap.most), variable=variable)

    @property
    def most_turns(self) -> Cap | None:
        return self.caps.on(self.resolved["length"])

    @property
    def lowered(self) -> tuple[str, ...]:
        """Sentences on values in force that are lower than this chat asks for, due to caps."""
        return tuple(allowed(self.resolved, LayerName.CONVERSATION))

    @property
    def everything(self) -> str:
        """A sentence on the most that the model can remember here."""
        if (cap := self.most_turns) is None:
            return _("Everything that fits in the context window.")
        turns = most_turns(self.resolved, cap)
        text = ngettext("At most {most} turn here.", "At most {most} turns here.", turns)
        return text.format(most=number(turns))

    @property
    def usual(self) -> str:
        """Sentences on what the model remembers if this chat sets nothing, and on who set that."""
        return remembers(self.below, why=set_by(self.below))

    @property
    def fixed(self) -> str:
        """Sentences on what the model remembers, and why, if this chat cannot choose that."""
        locking = {lock.name for name in QUESTION if (lock := locked_by(self.resolved, name))}
        names = [name for name in QUESTION if name in locking] or QUESTION
        reasons = (self.lock(BY_NAME[name]) for name in names)
        return remembers(self.resolved, why=" ".join(dict.fromkeys(reasons)))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on settings of this chat that contradict each other."""
        return contradictions_of(LayerName.CONVERSATION, self.resolved)


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


def _written(spec: SettingSpec, value: Value | None) -> str:
    """Write a value; the setting's help says what 0 means."""
    if isinstance(value, str):
        return _(spec.words[value]) if value in spec.words else value
    return number(0) if value == 0 and value is not False else _(spec.shown(value))


def _bounds(kind: Integer, most: int | None) -> str:
    """Write the bounds without separators, as people know numbers from other chat programs."""
    text = _("Enter a whole number from {least} to {most}, or leave this empty for the default.")
    return text.format(least=kind.minimum, most=most)

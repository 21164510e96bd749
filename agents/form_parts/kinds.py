"""The kinds of rows in a form's list, and how a posted row becomes an object again.

Values that nobody changed are kept exactly as stored.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from history.core.words.json_text import read_json
from history.core.words.storable import storing_fault

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Spec: TypeAlias = dict[str, Any]
JSON_ROW = "json"


def checked_json(text: str) -> Any:
    """Read JSON typed into a page. Raise ValueError if it cannot be read or stored."""
    value = read_json(text, each_name_once=True)
    if fault := storing_fault(value):
        raise ValueError(fault)
    return value


def sentence(words: str) -> str:
    """Write a fault as a sentence: with a capital, and a full stop."""
    text = str(capfirst(words))
    return text if text.endswith((".", "!", "?")) else f"{text}."


@dataclass(frozen=True, slots=True)
class RowInput:
    """A form field in a row, for one option. An empty text leaves the option out unless it is
    required.

    `text_of` turns a value into the field's text. `read` turns the text into a value, or raises
    ValueError with the reason.
    """

    name: str
    label: "StrOrPromise"
    help: "StrOrPromise" = ""
    widget: forms.Widget = field(default_factory=forms.TextInput)
    text_of: Callable[[Any], str] = str
    read: Callable[[str], Any] = str
    usual: Any = None  # The default value; the stored object omits an option that has it.
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class RowKind:
    """A kind of row. `fixed` holds values that all its rows have, such as the processor's name."""

    name: str
    label: "StrOrPromise"
    inputs: tuple[RowInput, ...]
    fixed: Mapping[str, Any] = field(default_factory=dict)
    help: "StrOrPromise" = ""

    def shows(self, spec: object) -> bool:
        """Whether the fields of this kind can show all of a stored object."""
        if not isinstance(spec, dict):
            return False
        names = {each.name for each in self.inputs}
        has_fixed = all(spec.get(key) == value for key, value in self.fixed.items())
        return has_fixed and spec.keys() <= names | self.fixed.keys()


@dataclass(frozen=True, slots=True)
class TypedRow:
    """A row as it was posted: the texts of its fields by name, and `before`, the stored object."""

    kind: str
    texts: Mapping[str, str]
    before: Spec

    def spec(self, kind: RowKind, faults: list[str]) -> Spec:
        """Turn the posted texts into an object; add their faults to `faults`."""
        read: Spec = dict(kind.fixed)
        for each in kind.inputs:
            text = with_line_feeds(self.texts.get(each.name, ""))
            if each.name in self.before and text == with_line_feeds(written(each, self.before)):
                read[each.name] = self.before[each.name]
            elif text.strip():
                _read_into(read, each, text, faults, is_stored=each.name in self.before)
            elif each.is_required:
                faults.append(_("{field}: must not be empty").format(field=each.label))
        return read


def _read_into(
    read: Spec, each: RowInput, text: str, faults: list[str], *, is_stored: bool
) -> None:
    try:
        if fault := storing_fault(text):
            raise ValueError(fault)
        value = each.read(text)
    except ValueError as error:
        faults.append(f"{each.label}: {error}")
        return
    if value != each.usual or is_stored:
        read[each.name] = value


def with_line_feeds(text: str) -> str:
    """Undo the CR LF that browsers send for every line end."""
    return text.replace("\r\n", "\n")


def written(each: RowInput, spec: Mapping[str, Any]) -> str:
    return each.text_of(spec[each.name]) if each.name in spec else ""


def json_kind(label: "StrOrPromise") -> RowKind:
    """Make the kind of row that shows an object as JSON if no other kind can show it."""
    area = forms.Textarea({"rows": 3, "spellcheck": "false"})
    whole = RowInput(JSON_ROW, label, widget=area, text_of=json.dumps, read=checked_json)
    return RowKind(JSON_ROW, label, (whole,))

"""Template tags for the admin's forms: the changed fields of a section, and a form's faults."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms, template
from django.contrib.admin.helpers import AdminForm, Fieldset
from django.core.exceptions import NON_FIELD_ERRORS, FieldDoesNotExist
from django.forms.boundfield import BoundField
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from agents.form_parts.field import RowsField
from history.core.settings.table import BY_NAME

register = template.Library()

NAMED = 3  # How many changed fields a closed section lists by name.
EMPTY: tuple[Any, ...] = (None, "", [], "[]")


@dataclass(frozen=True, slots=True)
class FormFault:
    """A sentence on a fault, with the form field that it is about; target and label may be
    empty.
    """

    target: str
    label: str
    sentence: str


@register.filter
def set_here(fieldset: Fieldset) -> str:
    """List the fields of a section that differ from their defaults; empty if none does."""
    labels = [str(capfirst(field.label)) for field in _fields(fieldset) if _differs(field)]
    names = ", ".join(labels[:NAMED])
    if len(labels) <= NAMED:
        return names
    return _("{names} and {count} more").format(names=names, count=len(labels) - NAMED)


@register.filter
def value_in_words(value: str, setting: str) -> str:
    """Write a setting's value by what it means, if it is a word that people type elsewhere."""
    words = BY_NAME[setting].words if setting in BY_NAME else {}
    text = words.get(value, value)
    return _(text) if text else ""


@register.filter
def has_faults(fieldset: Fieldset) -> bool:
    return any(field.errors for field in _fields(fieldset))


@register.filter
def faults(page: AdminForm) -> list[FormFault]:
    """List a form's faults in the order of its fields; faults without a field come first."""
    errors = page.form.errors.get(NON_FIELD_ERRORS, ())
    fields = [field for fieldset in page for field in _fields(fieldset) if field.errors]
    at_fields = [fault for field in fields for fault in _faults_of(field)]
    return [FormFault("", "", str(error)) for error in errors] + at_fields


def _faults_of(field: BoundField) -> Iterator[FormFault]:
    label = str(capfirst(field.label))
    rows = field.field
    if isinstance(rows, RowsField) and rows.row_faults:
        for number, sentence in rows.row_faults:
            where = _("{label}, entry {number}").format(label=label, number=number)
            yield FormFault(f"{field.auto_id}_{number}", where, sentence)
        return
    for error in field.errors:
        yield FormFault(field.id_for_label or field.auto_id, label, str(error))


def _fields(fieldset: Fieldset) -> Iterator[BoundField]:
    """Yield the fields that can be edited: none for a person who may only view the page."""
    for line in fieldset:
        for field in line:
            if isinstance(field.field, BoundField) and not field.field.is_hidden:
                yield field.field


def _differs(field: BoundField) -> bool:
    if field.field.disabled:
        return False
    value, default = field.value(), _default(field)
    if isinstance(field.field, forms.BooleanField):
        return bool(value) != bool(default)
    return value not in EMPTY and str(value) != str(default)


def _default(field: BoundField) -> Any:
    instance = getattr(field.form, "instance", None)
    try:
        return instance._meta.get_field(field.name).get_default() if instance else None
    except FieldDoesNotExist:
        return None

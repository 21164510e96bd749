"""A form field that shows a list of objects as rows. A list may also be posted as JSON text."""

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from agents.form_parts.kinds import JSON_ROW, RowKind, TypedRow, checked_json, sentence
from agents.form_parts.widget import RowFault, RowsWidget, kind_of

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class RowsField(forms.JSONField):
    """A list of objects, as rows. `check` yields the list's faults: each is a row's number (0 for
    the list as a whole) and a sentence.
    """

    def __init__(
        self,
        label: "StrOrPromise",
        help_text: "StrOrPromise",
        kinds: Callable[[], Sequence[RowKind]],
        check: Callable[[list[Any]], list[RowFault]],
    ) -> None:
        widget = RowsWidget(kinds)
        super().__init__(required=False, label=label, help_text=help_text, widget=widget)
        self.check = check

    @property
    def row_faults(self) -> list[RowFault]:
        """The faults of single rows that the last cleaning found."""
        faults: list[RowFault] = self.widget.faults
        return faults

    def clean(self, value: Any) -> Any:
        self.widget.faults = []
        specs = super().clean(value) or []
        if faults := self.check(specs):
            self._refuse([(number, sentence(words)) for number, words in faults])
        return specs

    def _refuse(self, faults: list[RowFault]) -> None:
        self.widget.faults = [fault for fault in faults if fault[0]]
        raise ValidationError([words for _number, words in faults])

    def to_python(self, value: Any) -> Any:
        if isinstance(value, list) and any(isinstance(row, TypedRow) for row in value):
            return self._read(value)
        if not isinstance(value, str):
            return value or []
        try:
            return checked_json(value) if value.strip() else []
        except ValueError as error:
            raise ValidationError(_("This text {fault}.").format(fault=error)) from error

    def _read(self, rows: Sequence[TypedRow]) -> list[Any]:
        kinds = self.widget.kinds()
        specs, row_faults = [], []
        for number, row in enumerate(rows, 1):
            faults: list[str] = []
            spec: Any = row.spec(kind_of(row.kind, kinds), faults)
            specs.append(spec.get(JSON_ROW) if row.kind == JSON_ROW else spec)
            row_faults += [(number, sentence(words)) for words in faults]
        if row_faults:
            self._refuse(row_faults)
        return specs

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Show what was typed, even if it is not valid."""
        return data

    def prepare_value(self, value: Any) -> Any:
        is_typed = isinstance(value, list) and any(isinstance(row, TypedRow) for row in value)
        is_stored = isinstance(value, list) and not is_typed
        return json.dumps(value, indent=2) if is_stored else value

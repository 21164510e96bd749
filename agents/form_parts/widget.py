"""The widget that shows a list as rows. The server renders them, so no script is needed."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from django import forms
from django.template.loader import render_to_string

from agents.form_parts.kinds import JSON_ROW, RowKind, Spec, TypedRow, written
from history.core.words.json_text import read_json

RowFault: TypeAlias = tuple[int, str]  # A row's number, or 0 for the whole list, and a sentence.


class RowsWidget(forms.Widget):
    """Shows a list as rows. It asks for the kinds of rows each time, because extensions register
    kinds while the program starts.
    """

    template_name = "admin/agents/rows.html"
    use_fieldset = True

    def __init__(self, kinds: Callable[[], Sequence[RowKind]]) -> None:
        super().__init__()
        self.kinds = kinds
        self.faults: list[RowFault] = []

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Return JSON text or rows, as posted; None if neither was posted."""
        if name in data or f"{name}-rows" not in data:
            return data.get(name)
        rows = data.getlist(f"{name}-row") if hasattr(data, "getlist") else []
        return [_typed(data, f"{name}-{row}-") for row in rows]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return name not in data and f"{name}-rows" not in data

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        """Render the rows; a text that is no list of objects is shown as it was typed."""
        kinds = list(self.kinds())
        context: dict[str, Any] = {"name": name, "id": (attrs or {}).get("id", f"id_{name}")}
        rows = self._rows(value, kinds)
        if rows is None:
            return render_to_string(self.template_name, context | {"text": value})
        shown_rows = [self._shown(name, number, row, kinds) for number, row in enumerate(rows, 1)]
        blanks = [_row(name, "__row__", kind, {}, {}) for kind in kinds[:-1]]
        spare = [_row(name, f"new-{kind.name}", kind, {}, {}) for kind in kinds[:-1]]
        context |= {"rows": shown_rows, "blanks": blanks, "spare": spare}
        return render_to_string(self.template_name, context)

    def _rows(self, value: Any, kinds: Sequence[RowKind]) -> list[TypedRow] | None:
        if isinstance(value, list):
            return value
        try:
            specs = read_json(value or "[]")
        except ValueError:
            return None
        return [_of(spec, kinds) for spec in specs] if isinstance(specs, list) else None

    def _shown(
        self, name: str, number: int, row: TypedRow, kinds: Sequence[RowKind]
    ) -> dict[str, Any]:
        kind = kind_of(row.kind, kinds)
        context = _row(name, str(number), kind, row.texts, row.before)
        return context | {"faults": [words for place, words in self.faults if place == number]}


def _typed(data: Any, prefix: str) -> TypedRow:
    texts = {key.removeprefix(prefix): text for key, text in data.items() if key.startswith(prefix)}
    try:
        spec = read_json(texts.pop("stored", "{}"))
    except ValueError:
        spec = {}
    return TypedRow(texts.pop("kind", JSON_ROW), texts, spec if isinstance(spec, dict) else {})


def _of(spec: Any, kinds: Sequence[RowKind]) -> TypedRow:
    """Make the row of a stored object, of the first kind that can show the whole object."""
    kind = next((kind for kind in kinds if kind.shows(spec)), None)
    if kind is None:
        return TypedRow(JSON_ROW, {JSON_ROW: json.dumps(spec, indent=2)}, {})
    return TypedRow(kind.name, {i.name: written(i, spec) for i in kind.inputs}, spec)


def kind_of(name: str, kinds: Sequence[RowKind]) -> RowKind:
    return next((kind for kind in kinds if kind.name == name), kinds[-1])


def _row(
    name: str, number: str, kind: RowKind, texts: Mapping[str, str], spec: Spec
) -> dict[str, Any]:
    """Build a row for the template: its fields' names, ids and HTML."""
    inputs = []
    for each in kind.inputs:
        own, at = f"{name}-{number}-{each.name}", f"id_{name}_{number}_{each.name}"
        attrs = {"id": at} | ({"aria-describedby": f"{at}_help"} if each.help else {})
        html = each.widget.render(own, texts.get(each.name, ""), attrs)
        inputs.append({"id": at, "label": each.label, "help": each.help, "html": html})
    text = json.dumps(spec)
    return {"number": number, "kind": kind, "inputs": inputs, "stored": text}

"""The rows of an agent's context: texts, and the registered providers."""

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from agents.context.facts import KNOWN
from agents.context.parts import PROVIDERS, ContextErrors, check_context
from agents.form_parts.field import RowsField
from agents.form_parts.kinds import RowInput, RowKind, json_kind
from agents.form_parts.widget import RowFault

PLACE = RowInput(
    "place",
    _("Where"),
    widget=forms.Select(
        choices=[
            ("", _("Just before the current message")),
            ("start", _("Before the messages")),
        ]
    ),
    text_of=lambda place: "" if place == "turn" else str(place),
    usual="turn",
)
NAME = RowInput(
    "name",
    _("Name"),
    _("Shown in the inspector: a-z, 0-9, - and _."),
    widget=forms.TextInput({"maxlength": 40, "spellcheck": "false"}),
    is_required=True,
)
TEXT = RowInput(
    "text",
    _("Text"),
    format_lazy(_("Placeholders: {placeholders}."), placeholders=KNOWN),
    widget=forms.Textarea({"rows": 3}),
    is_required=True,
)


def context_kinds() -> list[RowKind]:
    provided = [
        RowKind(f"use:{name}", name, (PLACE,), {"use": name}, _("A text that a function supplies."))
        for name in PROVIDERS
    ]
    return [RowKind("text", _("Text"), (NAME, TEXT, PLACE)), *provided, json_kind(_("As JSON"))]


def context_field() -> RowsField:
    what = _(
        "Texts added to every request. Just before the current message they leave the provider's "
        "cache of everything before them valid."
    )
    return RowsField(_("Context"), what, context_kinds, _faults)


def _faults(specs: object) -> list[RowFault]:
    try:
        check_context(specs)
    except ContextErrors as error:
        return error.faults
    return []

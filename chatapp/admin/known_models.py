"""The administration's pages on known models: facts that the catalogue lacks or has wrong."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from agents.catalogue import catalogue
from agents.changes import GuardedAdmin, GuardedForm
from history.core.settings.spec import Integer
from history.core.settings.table import BY_NAME
from history.core.words.wording import number

LEAST_WINDOW = cast(Integer, BY_NAME["context_window"].kind).minimum


class KnownModelForm(GuardedForm):
    """Refuses a name that no agent can have, and limits that no request could keep."""

    def clean_name(self) -> str:
        """Check a new name as an agent's page does. A stored one stays, if its provider went."""
        name = str(self.cleaned_data["name"])
        if "name" in self.changed_data and (fault := catalogue().fault(name)):
            raise forms.ValidationError(f"{name}: {fault}")
        return name

    def clean_context_window(self) -> int | None:
        window: int | None = self.cleaned_data["context_window"]
        if window is not None and window < LEAST_WINDOW:
            sentence = gettext("Must be at least {least} tokens.")
            raise forms.ValidationError(sentence.format(least=number(LEAST_WINDOW)))
        return window

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        window, longest = values.get("context_window"), values.get("max_output")
        if window and longest and longest > window:
            sentence = gettext("Can't be larger than the context window, {window} tokens.")
            self.add_error("max_output", sentence.format(window=number(window)))
        return values


class KnownModelAdmin(GuardedAdmin):
    form = KnownModelForm
    # The usual template also shows the settings of agents.
    change_form_template = "admin/change_form.html"
    list_display = ("name", "context_window", "input_price", "output_price", "images", "tools")
    search_fields = ("name",)
    fieldsets = (
        (
            None,
            {
                "fields": ("name", "context_window", "max_output"),
                "description": _("Empty fields use what the built-in list of models says."),
            },
        ),
        (
            _("Prices"),
            {"fields": ("input_price", "output_price", "cache_read_price", "cache_write_price")},
        ),
        (_("Abilities"), {"fields": ("images", "reasoning", "tools")}),
    )

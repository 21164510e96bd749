"""The administration's pages on known models: facts that the catalogue lacks or has wrong."""

from django.utils.translation import gettext_lazy as _

from agents.changes import GuardedAdmin, GuardedForm


class KnownModelAdmin(GuardedAdmin):
    form = GuardedForm
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

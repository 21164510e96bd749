"""The record of which staff looked at other people's conversations."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet


class Viewing(AppendOnlyModel):
    """A look at a conversation. It outlives the conversation and both accounts, so it stores their
    names instead of references.

    There is one row for each person, conversation, page and `period`, however often the person
    opens the page.
    """

    class Page(models.TextChoices):
        TRANSCRIPT = "transcript", _("Transcript")
        PANEL = "panel", _("Inspector")
        CONTEXT = "context", _("Context API")
        RAW = "raw", _("Raw request")
        ADMIN = "admin", _("Administration")
        EXPORT = "export", _("Export")

    viewer = models.CharField(_("viewer"), max_length=150, help_text=_("User name at the time."))
    conversation = models.UUIDField(_("chat"), db_index=True)
    owner = models.CharField(
        _("owner"), max_length=150, blank=True, help_text=_("Empty for a visitor.")
    )
    page = models.CharField(_("page"), max_length=10, choices=Page.choices)
    period = models.PositiveIntegerField(
        _("interval"),
        help_text=_("Index of the ten-minute interval, counted from the start of 1970."),
    )
    created = models.DateTimeField(_("created"), auto_now_add=True, db_index=True)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta(AppendOnlyModel.Meta):
        verbose_name = _("viewing")
        verbose_name_plural = _("viewings")
        constraints = [
            models.UniqueConstraint(
                fields=["viewer", "conversation", "page", "period"],
                name="history_viewing_once_a_period",
            )
        ]

    def __str__(self) -> str:
        return f"{self.viewer}: {self.get_page_display().lower()} of {self.conversation}"

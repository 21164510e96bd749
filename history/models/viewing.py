"""Which staff looked at a conversation that is not theirs."""

from django.db import models

from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet


class Viewing(AppendOnlyModel):
    """Outlives the conversation and both accounts, so it stores their names, not references.

    One row per person, conversation, page and `period`, however often they open the page.
    """

    class Page(models.TextChoices):
        TRANSCRIPT = "transcript"
        PANEL = "panel", "Inspector"
        CONTEXT = "context", "Context over the API"
        RAW = "raw", "Raw request"
        ADMIN = "admin", "Administration"

    viewer = models.CharField(max_length=150, help_text="The user name at the time.")
    conversation = models.UUIDField(db_index=True)
    owner = models.CharField(max_length=150, blank=True, help_text="Empty: a visitor.")
    page = models.CharField(max_length=10, choices=Page.choices)
    period = models.PositiveIntegerField(help_text="The ten minutes it fell into, since 1970.")
    created = models.DateTimeField(auto_now_add=True, db_index=True)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta(AppendOnlyModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["viewer", "conversation", "page", "period"],
                name="history_viewing_once_a_period",
            )
        ]

    def __str__(self) -> str:
        return f"{self.viewer}: {self.get_page_display().lower()} of {self.conversation}"

"""The usage of each model call, for the staff's overview: columns that are quick to sum."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from history.models.checkpoint import Checkpoint
from history.models.conversation import Conversation
from history.models.plan import ContextPlan


class CallFigures(models.Model):
    """Figures of a request for an answer or a summary; see `history.services.money.figures`.

    Copied from a plan and its outcome, never shown in their place: otherwise a database would have
    to read the whole JSON of a plan for each number. Unknown or unreported figures are null.
    """

    plan = models.OneToOneField(ContextPlan, models.CASCADE, null=True, related_name="figures")
    summary = models.OneToOneField(Checkpoint, models.CASCADE, null=True, related_name="figures")
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="figures", db_index=False
    )
    model = models.CharField(max_length=200)
    agent = models.CharField(
        max_length=50, blank=True, default="", help_text=_("Slug of the agent.")
    )
    prompt = models.PositiveIntegerField(
        null=True, help_text=_("Tokens sent, as reported by the provider.")
    )
    output = models.PositiveIntegerField(
        null=True, help_text=_("Tokens received, as reported by the provider.")
    )
    cache_read = models.PositiveIntegerField(null=True, help_text=_("Tokens read from cache."))
    cost = models.DecimalField(max_digits=24, decimal_places=14, null=True)
    counted = models.PositiveIntegerField(
        default=0, help_text=_("Tokens sent, as counted by Vitrine.")
    )
    transcript = models.PositiveBigIntegerField(default=0, help_text=_("Tokens in the transcript."))
    left_out = models.PositiveBigIntegerField(default=0, help_text=_("Tokens left out."))
    created = models.DateTimeField(help_text=_("When the request was planned."))

    class Meta:
        verbose_name_plural = "call figures"
        permissions = [("view_cost", "Can see what all conversations cost")]
        constraints = [
            models.CheckConstraint(
                condition=Q(plan__isnull=False, summary=None) | Q(plan=None, summary__isnull=False),
                name="history_figures_of_one_call",
            )
        ]
        indexes = [
            models.Index(fields=["conversation", "created"], name="history_figures_conversation"),
            models.Index(fields=["created"], name="history_figures_created"),
        ]

    def __str__(self) -> str:
        return f"a call of {self.model}"

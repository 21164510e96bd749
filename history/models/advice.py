"""Stored advice: what other settings would have cost, found by replays in the background."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet
from history.models.conversation import Branch, Conversation


class AdviceQuerySet(AppendOnlyQuerySet["Advice"]):
    """Advice rows, which nothing can change."""


class Advice(AppendOnlyModel):
    """One comparison of settings. The newest of a branch counts, as long as its `basis` equals the
    present one.

    Anybody can compute it again from the transcript, because no model was called for it.
    """

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="advice")
    branch = models.ForeignKey(Branch, models.CASCADE, related_name="+")
    turn = models.PositiveIntegerField(help_text=_("The newest turn that was replayed."))
    basis = models.CharField(
        max_length=64, help_text=_("Hash of the settings, model and prices compared with.")
    )
    facts = models.JSONField()
    milliseconds = models.FloatField(help_text=_("Time taken to replay."))
    created = models.DateTimeField(auto_now_add=True)

    objects = AdviceQuerySet.as_manager()

    class Meta(AppendOnlyModel.Meta):
        verbose_name_plural = "advice"

    def __str__(self) -> str:
        return f"advice up to turn {self.turn} of {self.conversation_id}"

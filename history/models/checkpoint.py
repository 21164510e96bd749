"""Stored summaries, each of which stands for an exact run of the transcript."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from history.core.summaries import checkpoints as core
from history.core.words.wording import messages, number
from history.models.conversation import Branch, Conversation
from history.wording.summaries import no_summary


class CheckpointState(models.TextChoices):
    PENDING = "pending"
    READY = "ready"
    FAILED = "failed"
    UNDONE = "undone"
    FOLDED = "folded"


class Checkpoint(models.Model):
    """A summary. It is kept for good, even if it failed, was undone, or was folded into another.

    Only one is made at a time in a conversation. The messages that it stands for never change, so
    the branch and the last position identify them. `excluded` and `chain` are the other conditions
    under which it applies.
    """

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="checkpoints")
    branch = models.ForeignKey(Branch, models.CASCADE, related_name="+")
    first = models.PositiveIntegerField(help_text=_("Position of the first message it covers."))
    last = models.PositiveIntegerField()
    first_turn = models.PositiveIntegerField()
    last_turn = models.PositiveIntegerField()
    excluded = models.JSONField(default=list, blank=True)
    chain = models.CharField(max_length=16, blank=True, help_text=_("Hash of the processors."))
    prompt_version = models.PositiveIntegerField(default=core.PROMPT_VERSION)
    summary = models.TextField(blank=True)
    tokens = models.PositiveIntegerField(default=0, help_text=_("Tokens of the summary as sent."))
    source_tokens = models.PositiveIntegerField(default=0)
    model = models.CharField(max_length=120, blank=True)
    usage = models.JSONField(null=True, blank=True, help_text=_("As reported by the provider."))
    cost = models.JSONField(
        null=True,
        blank=True,
        help_text=_("At the prices in effect at the time; empty if a price was unknown."),
    )
    manual = models.BooleanField(default=False, help_text=_("Requested by a user."))
    state = models.CharField(
        max_length=7, choices=CheckpointState.choices, default=CheckpointState.PENDING
    )
    reason = models.TextField(blank=True, help_text=_("Why it failed."))
    folded_into = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="parts"
    )
    created = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"],
                condition=Q(state="pending"),
                name="history_checkpoint_one_pending",
            )
        ]
        indexes = [models.Index(fields=["branch", "last"], name="history_checkpoint_last")]

    def __str__(self) -> str:
        return f"{messages(self.first, self.last)}: {self.state}"

    @property
    def outcome(self) -> str:
        """Say what became of the summary."""
        if self.state == CheckpointState.FAILED:
            return _("No summary: {reason}.").format(reason=no_summary(self.reason))
        figures = {
            "first": number(self.first + 1),
            "last": number(self.last + 1),
            "tokens": number(self.tokens),
            "before": number(self.source_tokens),
        }
        if self.state == CheckpointState.PENDING:
            return _("Summarising messages {first} to {last}.").format(**figures)
        # No saving is claimed: a window may have left some of these messages out before.
        sentence = _("Messages {first} to {last} summarised: {before} tokens reduced to {tokens}.")
        return sentence.format(**figures)

    def as_core(self) -> core.Checkpoint:
        return core.Checkpoint(
            id=self.pk,
            first=self.first,
            last=self.last,
            first_turn=self.first_turn,
            last_turn=self.last_turn,
            summary=self.summary,
            tokens=self.tokens,
            source_tokens=self.source_tokens,
            excluded=frozenset(self.excluded),
            chain=self.chain,
        )

"""Requests as they left this process: see `history.services.wire`."""

from django.db import models

from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet
from history.models.checkpoint import Checkpoint
from history.models.plan import ContextPlan


class SentRequest(AppendOnlyModel):
    """One attempt to send a request, without any API key.

    `packed` is the body without texts that other rows hold. `status` is null if no answer came;
    `said` is the provider's explanation of an error, for staff. `left` is false if it is certain
    that nobody received the request.
    """

    attempt = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=10)
    address = models.TextField()
    headers = models.JSONField(default=dict)
    packed = models.BinaryField()
    digest = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    status = models.PositiveSmallIntegerField(null=True)
    answered = models.JSONField(default=dict)
    said = models.TextField(default="", blank=True)
    left = models.BooleanField(default=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta(AppendOnlyModel.Meta):
        abstract = True

    def __str__(self) -> str:
        return f"attempt {self.attempt}: {self.method} {self.address}"


class WireQuerySet(AppendOnlyQuerySet["Wire"]):
    """Wires, which nothing can change."""


class Wire(SentRequest):
    """One attempt to send a planned request."""

    plan = models.ForeignKey(ContextPlan, models.CASCADE, related_name="wires", db_index=False)

    objects = WireQuerySet.as_manager()

    class Meta(SentRequest.Meta):
        constraints = [
            models.UniqueConstraint(fields=["plan", "attempt"], name="history_wire_attempt")
        ]


class SummaryWireQuerySet(AppendOnlyQuerySet["SummaryWire"]):
    """Wires of summaries, which nothing can change."""


class SummaryWire(SentRequest):
    """One attempt to have a model write a summary.

    `differences` are facts on what the library changed in the body that it was handed, because no
    plan records that body.
    """

    summary = models.ForeignKey(Checkpoint, models.CASCADE, related_name="wires", db_index=False)
    differences = models.JSONField(default=list)

    objects = SummaryWireQuerySet.as_manager()

    class Meta(SentRequest.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["summary", "attempt"], name="history_summary_wire_attempt"
            )
        ]

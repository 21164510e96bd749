"""A request as it left: see `history.services.wire`."""

from django.db import models

from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet
from history.models.plan import ContextPlan


class WireQuerySet(AppendOnlyQuerySet["Wire"]):
    """Requests that left, with no way to change them."""


class Wire(AppendOnlyModel):
    """One attempt to send a planned request. No key is in any of it.

    `packed` is the body without what other rows hold. `status` is null if nothing was answered.
    """

    plan = models.ForeignKey(ContextPlan, models.CASCADE, related_name="wires", db_index=False)
    attempt = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=10)
    address = models.TextField()
    headers = models.JSONField(default=dict)
    packed = models.BinaryField()
    digest = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    status = models.PositiveSmallIntegerField(null=True)
    answered = models.JSONField(default=dict)
    created = models.DateTimeField(auto_now_add=True)

    objects = WireQuerySet.as_manager()

    class Meta(AppendOnlyModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["plan", "attempt"], name="history_wire_attempt")
        ]

    def __str__(self) -> str:
        return f"attempt {self.attempt}: {self.method} {self.address}"

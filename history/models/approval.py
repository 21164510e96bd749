"""What became of a call that a person had to decide about, and who decided."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet
from history.models.generation import Generation


class ApprovalKind(models.TextChoices):
    ASKED = "asked"
    APPROVED = "approved"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"  # Nobody decided, and nobody can any more.
    BEGUN = "begun"


DECIDED = (ApprovalKind.APPROVED, ApprovalKind.REFUSED, ApprovalKind.WITHDRAWN)


class CallStage(AppendOnlyModel):
    """A stage that a call has reached, each at most once: asked, then decided, then begun.

    A call that was begun is never begun again, whatever became of it. `words` are those of the
    person who decided or, for a call that was asked about, an addition to its result.
    """

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="stages")
    call_id = models.CharField(max_length=200)
    kind = models.CharField(max_length=9, choices=ApprovalKind.choices)
    person = models.CharField(max_length=150, blank=True, help_text=_("Who decided."))
    words = models.TextField(blank=True)
    created = models.DateTimeField(auto_now_add=True)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta(AppendOnlyModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["generation", "call_id", "kind"], name="history_stage_once"
            ),
            models.UniqueConstraint(
                fields=["generation", "call_id"],
                condition=Q(kind__in=[str(kind) for kind in DECIDED]),
                name="history_stage_one_decision",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.call_id} {self.kind}"

"""The record of what was sent to a model, and of what came back."""

from functools import cached_property
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from history.core.plan.plan import Plan
from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet
from history.models.conversation import Branch, Conversation
from history.models.generation import Generation


class StoredTextQuerySet(AppendOnlyQuerySet["StoredText"]):
    """Typed by its model, like those below, because the models refer to each other."""


class StoredText(AppendOnlyModel):
    """A prompt, tool schemas or an injected text: stored once, by its content's hash.

    A text made for one conversation, such as a summary, is stored once for it, and deleted with it.
    """

    hash = models.CharField(primary_key=True, max_length=64)
    text = models.TextField()
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, null=True, blank=True, related_name="+"
    )

    objects = StoredTextQuerySet.as_manager()

    def __str__(self) -> str:
        return self.hash[:12]


class ContextPlanQuerySet(AppendOnlyQuerySet["ContextPlan"]):
    """Plans, with no way to change them."""


class ContextPlan(AppendOnlyModel):
    """Stored before the request is sent. `plan` is `core_plan` as JSON."""

    generation = models.ForeignKey(
        Generation, models.CASCADE, related_name="plans", verbose_name=_("generation")
    )
    step = models.PositiveIntegerField(
        _("step"), help_text=_("Starts at 1; each tool round adds one.")
    )
    branch = models.ForeignKey(Branch, models.CASCADE, related_name="+", verbose_name=_("branch"))
    head = models.PositiveIntegerField(
        _("latest message"), help_text=_("Position of the latest message.")
    )
    plan = models.JSONField(_("plan"))
    parameters = models.JSONField(
        _("parameters"), help_text=_("Model, temperature and output limit.")
    )
    texts = models.JSONField(
        _("texts"), help_text=_("Hashes of the prompt, tool schemas and injected texts.")
    )
    marks = models.JSONField(
        _("pins and exclusions"),
        default=dict,
        help_text=_("Positions pinned and excluded at the time."),
    )
    checkpoints = models.JSONField(
        _("summaries"), default=list, help_text=_("Ids of the summaries that applied.")
    )
    request_hash = models.CharField(_("request hash"), max_length=64)
    version = models.PositiveIntegerField(_("planner version"))
    milliseconds = models.FloatField(
        _("planning time (ms)"), help_text=_("Time taken to read and plan.")
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)

    objects = ContextPlanQuerySet.as_manager()

    class Meta(AppendOnlyModel.Meta):
        verbose_name = _("context plan")
        verbose_name_plural = _("context plans")
        constraints = [
            models.UniqueConstraint(fields=["generation", "step"], name="history_plan_step")
        ]

    def __str__(self) -> str:
        return f"step {self.step} of {self.generation_id}"

    @cached_property
    def core_plan(self) -> Plan:
        """The plan, parsed once; whoever has just made it sets it."""
        return Plan.from_dict(self.plan)


class RequestOutcomeQuerySet(AppendOnlyQuerySet["RequestOutcome"]):
    """Outcomes, with no way to change them."""


class RequestOutcome(AppendOnlyModel):
    """The provider's response to a request: only what it really reported."""

    plan = models.OneToOneField(ContextPlan, models.CASCADE, related_name="outcome")
    finish_reason = models.CharField(max_length=40, blank=True)
    usage = models.JSONField(null=True, blank=True)
    cost = models.JSONField(
        null=True,
        blank=True,
        help_text=_("At the prices in effect at the time; empty if a price was unknown."),
    )
    attempts = models.PositiveIntegerField(default=1)
    first_token_ms = models.FloatField(null=True, blank=True)
    total_ms = models.FloatField()
    error = models.JSONField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    objects = RequestOutcomeQuerySet.as_manager()

    def __str__(self) -> str:
        return self.finish_reason or "no end reported"

    def as_dict(self) -> dict[str, Any]:
        names = ("finish_reason", "usage", "cost", "attempts")
        more = ("first_token_ms", "total_ms", "error")
        return {name: getattr(self, name) for name in (*names, *more)}

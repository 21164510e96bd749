"""The record of a request: its plan, the provider's response, and the figures of the call."""

from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from history.core.plan.plan import Plan
from history.core.wire.streamed import StreamCounts
from history.core.words.facts import Note
from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet
from history.models.checkpoint import Checkpoint
from history.models.conversation import Branch, Conversation
from history.models.generation import Generation


class StoredTextQuerySet(AppendOnlyQuerySet["StoredText"]):
    """This class and those like it below are only for mypy, which cannot resolve an untyped
    queryset from its cache.
    """


class StoredText(AppendOnlyModel):
    """A prompt, tool schemas or an injected text, stored once under the hash of its content.

    A text that was made for one conversation, such as a summary, is stored once for that
    conversation, and is deleted with it.
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
    """Plans, which nothing can change."""


class ContextPlan(AppendOnlyModel):
    """The plan of a request, stored before the request is sent. `plan` is `core_plan` as JSON."""

    generation = models.ForeignKey(
        Generation, models.CASCADE, related_name="plans", verbose_name=_("answer")
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
        """The plan, which is parsed only once, or set by the code that has just made it."""
        return Plan.from_dict(self.plan)


class BackgroundResponse(models.Model):
    """An answer that the provider goes on with if the process that asked for it is gone.

    `taken_up` counts how often another process took it up again. `forgotten`: the provider was
    asked to delete it.
    """

    plan = models.OneToOneField(ContextPlan, models.CASCADE, related_name="background")
    response = models.CharField(max_length=200, help_text=_("The provider's id of it."))
    taken_up = models.PositiveSmallIntegerField(default=0)
    forgotten = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.response


class RequestOutcomeQuerySet(AppendOnlyQuerySet["RequestOutcome"]):
    """Outcomes of requests, which nothing can change."""


class RequestOutcome(AppendOnlyModel):
    """How the provider responded to a request, with only those values that it really reported."""

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
    streamed = models.JSONField(
        null=True,
        blank=True,
        help_text=_("Characters of a whole answer that came and were kept; empty if not counted."),
    )
    created = models.DateTimeField(auto_now_add=True)

    objects = RequestOutcomeQuerySet.as_manager()

    def __str__(self) -> str:
        return self.finish_reason or "no end reported"

    def as_dict(self) -> dict[str, Any]:
        names = ("finish_reason", "usage", "cost", "attempts")
        more = ("first_token_ms", "total_ms", "error", "streamed")
        return {name: getattr(self, name) for name in (*names, *more)}

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on what the answer lost or changed, compared with the provider's stream."""
        return tuple(StreamCounts.from_dict(self.streamed).notes()) if self.streamed else ()


class CallFigures(models.Model):
    """The figures of a request for an answer or a summary; see `history.services.wire.figures`.

    They are copied from a plan and its outcome, because otherwise a database would have to read the
    whole JSON of every plan to add them up. Unknown or unreported figures are null.
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
    first_ms = models.FloatField(null=True, help_text=_("Time to the first token."))
    total_ms = models.FloatField(
        null=True, help_text=_("Time to the end, of a request that brought anything back.")
    )
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

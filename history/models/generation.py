"""Generations, their numbered events, and the stages of calls that a person decides about."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from agents.snapshot import AgentSnapshot
from history.core.settings.resolved import Settings
from history.models.append_only import AppendOnlyModel, AppendOnlyQuerySet
from history.models.conversation import Branch, Conversation

if TYPE_CHECKING:
    from history.models.message import Message


class GenerationStatus(models.TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    WAITING = "waiting", _("Waiting")  # Waits for a person to approve or refuse a call.
    DONE = "done", _("Done")
    STOPPED = "stopped", _("Stopped")
    # It waited for a decision about a call, and the person sent a message instead.
    PASSED_OVER = "passed_over", _("Not decided")
    INTERRUPTED = "interrupted", _("Interrupted")
    FAILED = "failed", _("Failed")


ACTIVE = (GenerationStatus.QUEUED, GenerationStatus.RUNNING)
OPEN = (*ACTIVE, GenerationStatus.WAITING)


@dataclass(frozen=True)
class SnapshotPart:
    """The agent that answers from a step on, with its settings. `step` is 0 for the first agent."""

    agent: AgentSnapshot
    factor: float
    step: int
    stored_settings: Mapping[str, Any]

    @classmethod
    def from_dict(cls, snapshot: Mapping[str, Any]) -> "SnapshotPart":
        agent = AgentSnapshot.from_dict(snapshot.get("agent", {}))
        settings = snapshot.get("settings", {})
        return cls(agent, snapshot.get("factor", 1.0), snapshot.get("step", 0), settings)

    @cached_property
    def settings(self) -> Settings:
        return Settings.from_dict(self.stored_settings)


class Generation(models.Model):
    """The work on one answer. A conversation has at most one that is active. An open generation is
    ended by compare-and-set, so that only one process can end it.

    A waiting generation is open but not active: no process runs it, and people can send messages
    meanwhile.
    """

    question: "Message | None" = None  # Set if it was stored together with this instance.

    class Kind(models.TextChoices):
        ANSWER = "answer", _("Answer")
        CONTINUE = "continue", _("Continue")
        WHAT_IF = "what_if", _("What-if")  # The generation of an experiment.

    id = models.UUIDField(_("id"), primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="generations", verbose_name=_("chat")
    )
    branch = models.ForeignKey(
        Branch, models.CASCADE, related_name="generations", verbose_name=_("branch")
    )
    turn = models.PositiveIntegerField(_("turn"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices, default=Kind.ANSWER)
    status = models.CharField(
        _("status"),
        max_length=11,
        choices=GenerationStatus.choices,
        default=GenerationStatus.QUEUED,
    )
    snapshot = models.JSONField(
        _("snapshot"), help_text=_("Agent and settings when the message was sent.")
    )
    owner = models.CharField(
        _("owner"), max_length=40, blank=True, help_text=_("The process that runs it.")
    )
    heartbeat_at = models.DateTimeField(_("last heartbeat"), null=True, blank=True)
    seq = models.PositiveIntegerField(
        _("latest event"), default=0, help_text=_("Number of the latest stored event.")
    )
    error = models.JSONField(_("error"), null=True, blank=True, help_text=_("Kind and message."))
    created = models.DateTimeField(_("created"), auto_now_add=True)
    started = models.DateTimeField(_("started"), null=True, blank=True)
    ended = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("answer")
        verbose_name_plural = _("answers")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"],
                condition=Q(status__in=["queued", "running"]),
                name="history_generation_one_active",
            )
        ]
        indexes = [
            models.Index(fields=["conversation", "created"], name="history_generation_recent"),
            models.Index(
                fields=["conversation", "turn", "created"], name="history_generation_turn"
            ),
            # A query with parameters never lets SQLite use the constraint's partial index.
            models.Index(fields=["conversation", "status"], name="history_generation_status"),
            models.Index(fields=["status", "heartbeat_at"], name="history_generation_reaper"),
            models.Index(
                fields=["status", "created", "conversation"], name="history_generation_failures"
            ),
        ]

    def __str__(self) -> str:
        return _("{kind}, turn {turn}: {status}").format(
            kind=self.get_kind_display(),
            turn=f"{self.turn:,}",
            status=self.get_status_display().lower(),
        )

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE

    def snapshot_at(self, step: int | None = None) -> SnapshotPart:
        """Return the agent, settings and factor of a step, or of the newest step if `step` is None.

        A hand-over adds the snapshot of another agent, with the first `step` to which it applies.
        """
        return next(p for p in reversed(self.parts) if step is None or p.step <= step)

    @property
    def parts(self) -> list[SnapshotPart]:
        """The first snapshot, and then that of each hand-over."""
        snapshots = (self.snapshot, *self.snapshot.get("handed_over", ()))
        return list(map(SnapshotPart.from_dict, snapshots))

    @property
    def agent_names(self) -> dict[str, str]:
        """The names of all agents that have answered in this generation, by slug."""
        return {part.agent.slug: part.agent.name for part in self.parts}

    @property
    def is_experiment(self) -> bool:
        return self.kind == self.Kind.WHAT_IF

    @property
    def is_aside(self) -> bool:
        """Whether the generation writes on a branch that is not open, so no tab shows its
        events.
        """
        return self.branch_id != self.conversation.branch_id

    @property
    def is_waiting(self) -> bool:
        return self.status == GenerationStatus.WAITING

    @property
    def is_open(self) -> bool:
        """Whether the generation may go on, by itself or after a person's decision."""
        return self.status in OPEN


class GenerationEvent(models.Model):
    """An entry in the numbered log of a generation, which is deleted some hours after its end."""

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["generation", "seq"], name="history_event_seq")
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class ApprovalKind(models.TextChoices):
    ASKED = "asked"
    APPROVED = "approved"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"  # Nobody decided, and by now nobody can.
    BEGUN = "begun"


DECIDED = (ApprovalKind.APPROVED, ApprovalKind.REFUSED, ApprovalKind.WITHDRAWN)


class CallStageQuerySet(AppendOnlyQuerySet["CallStage"]):
    """Stages of calls, which nothing can change."""


class CallStage(AppendOnlyModel):
    """A stage that a call has reached, at most once: asked, then decided, then begun.

    A call that has begun is never begun again, whatever became of it. `words` are those of the
    person who decided or, at the stage "asked", an addition to the call's result.
    """

    generation = models.ForeignKey(Generation, models.CASCADE, related_name="stages")
    call_id = models.CharField(max_length=200)
    kind = models.CharField(max_length=9, choices=ApprovalKind.choices)
    person = models.CharField(max_length=150, blank=True, help_text=_("Who decided."))
    words = models.TextField(blank=True)
    created = models.DateTimeField(auto_now_add=True)

    objects = CallStageQuerySet.as_manager()

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

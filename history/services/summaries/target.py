"""What a summary is made of: the path as it is sent, and its part that no summary covers yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agents.catalogue import catalogue
from agents.snapshot import snapshot
from history.core.plan.verdict import Verdict
from history.core.settings.resolved import Settings
from history.core.settings.table import BY_NAME
from history.core.stages.processor import ProcessorContext
from history.core.stages.processors import parse_levels
from history.core.summaries import checkpoints as core
from history.core.summaries.prompts import overhead
from history.core.transcript.messages import Role
from history.core.transcript.segments import Segments, flat, segment
from history.models import Branch, Conversation, Generation, Message
from history.services.access import Actor
from history.services.path.appending import head_of
from history.services.path.marks import Marks, marks_on
from history.services.path.reading import on_path
from history.services.path.transcripts import path_of
from history.services.settings.answerer import answering
from history.services.settings.calibration import factor_of
from history.services.settings.layers import resolve_settings
from history.tokens import count_text

PAGE = 1_000  # The most messages that one summary covers.
# The most tokens of an answer: far more than it is asked to have, since some models think first.
LONGEST = 4_096
ANSWER_SHARE = 4  # The answer may use at most a quarter of the window.
# The scope of processors that cut by size; those with other scopes judge by content.
NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class SummaryRoom:
    """The most tokens of a text to summarise, in our count, and of its summary, in the model's."""

    source: int
    answer: int


@dataclass(frozen=True)
class SummaryTarget:
    """A path to summarise, and the settings for that. `model` is the agent's own; `through` is the
    last position that a plan's token budget left out, or -1; `manual`: a person asked for the
    summary.
    """

    branch: Branch
    model: str
    settings: Settings
    processors: Mapping[str, Any] = field(default_factory=dict)
    through: int = -1
    manual: bool = False

    @property
    def summariser(self) -> str:
        return str(self.settings.value("summary_model") or self.model)

    @property
    def is_wanted(self) -> bool:
        """Whether summaries are made automatically; the policy `none` would never send one."""
        is_on = self.settings.value("summarize") or self.through >= 0
        return bool(is_on) and self.settings.value("policy") != "none"

    @cached_property
    def chain(self) -> str:
        return core.chain_hash(self.processors)

    @cached_property
    def marks(self) -> Marks:
        return marks_on(self.branch)

    def points(self) -> tuple[core.Checkpoint, ...]:
        """The summaries that the next turn's requests contain."""
        head = head_of(self.branch)
        turn = head.turn + 1 if head else 0
        return path_of(turn, self.branch, self.marks, self.chain).checkpoints

    def due(self) -> core.DueSummary | None:
        """Return the messages to summarise next. If there are too few, no message is read."""
        points, head = self.points(), head_of(self.branch)
        first = points[-1].last + 1 if points else 0
        waiting = head.position + 1 - first if head else 0
        is_enough = waiting >= core.trigger(first, self.settings)
        if not (self.manual or is_enough or self.through >= first):
            return None
        parts, more = self._uncovered(first, waiting)
        if self.manual:
            return core.due_now(parts, first, head.turn if head else 0)
        by_count = core.due(parts, first, self.settings, more)
        return by_count or core.due_over(parts, first, self.settings, self.through, more)

    def _uncovered(self, first: int, waiting: int) -> tuple[Segments, int]:
        """Return the segments from `first` on as the agent would see them, processed and without
        exclusions, and the number of later messages that were not read.
        """
        rows = Message.objects.filter(on_path(self.branch), position__gte=first)
        page = [row.as_core() for row in rows.order_by("position")[:PAGE]]
        parts = segment(page)
        more = waiting - len(page)
        if more > 0:
            parts = parts[:-1]  # The last segment may continue beyond the page.
        return self._sent(parts), more

    def _sent(self, parts: Segments) -> Segments:
        """Return the segments as they are sent to the agent, but without system messages: these are
        sent unchanged or never, so no summary contains them.
        """
        parts = tuple(
            part
            for part in parts
            if part.messages
            and part.messages[0].role is not Role.SYSTEM
            and not any(m.position in self.marks.exclusions for m in part.messages)
        )
        # No sums are read, as only processors that cut by size need them.
        flow = ProcessorContext(count_text, _end(parts), {})
        for link in parse_levels(self.processors):
            if link.processor.scope != NEWEST:
                parts = link.processor.apply(parts, flow)
        return tuple(part for part in parts if part.messages)

    def room(self) -> SummaryRoom:
        """Return the room in the context window of the summarising model. If that model is the
        agent's own, a setting may decide the window.
        """
        model = self.summariser
        limits = catalogue().limits(model)
        model_window = limits.context_window or int(BY_NAME["context_window"].default or 0)
        window = self.settings.value("context_window") if model == self.model else model_window
        answer = min(LONGEST, limits.max_output or LONGEST, window // ANSWER_SHARE)
        source = int((window - answer) / factor_of(model).value) - overhead(count_text)
        return SummaryRoom(max(0, source), answer)


def target_of(generation: Generation) -> SummaryTarget:
    """Return the target for the path and the settings of a generation."""
    part = generation.snapshot_at()
    agent, settings = part.agent, part.settings
    through = _over_budget(generation) if settings.value("pruner") == "summarize" else -1
    return SummaryTarget(generation.branch, agent.model, settings, agent.processors, through)


def present_target(conversation: Conversation) -> SummaryTarget | None:
    """Return the open branch with its present settings as a target; None before any message."""
    if conversation.branch is None:
        return None
    template = answering(conversation)
    agent = snapshot(template, network=conversation.network, model=conversation.model)
    owner = Actor(conversation.owner, conversation.visitor)
    settings = resolve_settings(template, owner, "", conversation)
    return SummaryTarget(conversation.branch, agent.model, settings, agent.processors, manual=True)


def _over_budget(generation: Generation) -> int:
    """Return the last position that the newest request's token budget left out; -1 for none."""
    plan = generation.plans.order_by("-step").values_list("plan", flat=True).first()
    entries: Sequence[Mapping[str, Any]] = plan["entries"] if plan else ()
    trimmed = [e for e in entries if e["rule"] == "budget" and e["verdict"] == Verdict.TRIMMED]
    return max((entry["last"] for entry in trimmed), default=-1)


def _end(parts: Segments) -> int:
    return max((message.position for message in flat(parts)), default=-1) + 1

"""The panel's list of summaries: what became of each, what it saves, and why there is none."""

from collections.abc import Collection
from dataclasses import dataclass

from history.core.plan.plan import Plan, Verdict
from history.core.settings.resolved import Settings
from history.core.settings.table import BY_NAME
from history.core.summaries.checkpoints import summarize_every
from history.core.wording import number
from history.models import Checkpoint, CheckpointState, Conversation
from history.services.summaries.actions import applying, checkpoints_of

SHOWN = 30
CHECKPOINT = "checkpoint "  # The beginning of a summary's label.
SHOWN_ONE, NEXT_ONE = "in this request", "with the next message"


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One summary; `state` is worded for the reader."""

    label: str
    state: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SummariesZone:
    """`sentence` gives the overall state; the newest row comes first."""

    sentence: str
    rows: tuple[SummaryRow, ...]


@dataclass(frozen=True, slots=True)
class SentSummaries:
    """The labels of summaries in the request shown, and in the next one."""

    shown: frozenset[str]
    upcoming: frozenset[str]

    def where(self, label: str) -> str:
        """Say where it is used; empty if in neither."""
        if label in self.shown:
            return f"{SHOWN_ONE}, and {NEXT_ONE}" if label in self.upcoming else SHOWN_ONE
        return NEXT_ONE if label in self.upcoming else ""

    def __str__(self) -> str:
        if self.shown == self.upcoming:
            return f"{_many(self.shown)} {SHOWN_ONE}, and {NEXT_ONE}"
        return f"{_many(self.shown)} {SHOWN_ONE}, {_many(self.upcoming)} {NEXT_ONE}"


def summaries_of(conversation: Conversation, plan: Plan) -> SummariesZone:
    """List the summaries of the request shown and those of the open branch now: a summary made
    or undone meanwhile makes the two differ.
    """
    found = list(checkpoints_of(conversation)[:SHOWN])
    applied = applying(conversation) if found else ()
    labels = {entry.label for entry in plan.entries if entry.verdict is Verdict.INJECTED}
    sent = SentSummaries(
        frozenset(label for label in labels if label.startswith(CHECKPOINT)),
        frozenset(point.label for point in applied),
    )
    rows = tuple(_row(row, sent) for row in found)
    return SummariesZone(_sentence(found, sent, plan.settings), rows)


def _sentence(found: list[Checkpoint], sent: SentSummaries, settings: Settings) -> str:
    if found and found[0].state == CheckpointState.FAILED:
        again = f"Tried again after {number(summarize_every(settings))} further messages."
        return f"{found[0].outcome} {again}" if _is_on(settings) else found[0].outcome
    if sent.shown or sent.upcoming:
        return str(sent)
    if not _is_on(settings):
        return f"off: {BY_NAME['summarize'].label} is off"
    if settings.value("policy") == "none":
        return "none: policy none sends no summary"
    return f"none yet: the first is due at {number(settings.value('trigger_at'))} messages"


def _is_on(settings: Settings) -> bool:
    return bool(settings.value("summarize")) or settings.value("pruner") == "summarize"


def _many(labels: Collection[str]) -> str:
    return number(len(labels)) if labels else "none"


def _row(row: Checkpoint, sent: SentSummaries) -> SummaryRow:
    label = f"{CHECKPOINT}{row.pk}"
    where, became = sent.where(label), _became(row)
    if label in sent.upcoming:
        return SummaryRow(label, where, _what(row))
    return SummaryRow(label, f"{where}; since then: {became}" if where else became, _what(row))


def _became(row: Checkpoint) -> str:
    """Say what became of one that the next message will not include."""
    if row.state == CheckpointState.FOLDED:
        return f"folded into {CHECKPOINT}{row.folded_into_id}"
    words = {"ready": "does not apply here", "pending": "being made", "undone": "taken back"}
    return words.get(row.state, row.state)


def _what(row: Checkpoint) -> str:
    messages = f"messages {number(row.first + 1)} to {number(row.last + 1)}"
    if row.state == CheckpointState.FAILED:
        return f"{messages}. {row.outcome}"
    if row.state == CheckpointState.PENDING:
        return messages
    sizes = f"{number(row.source_tokens)} tokens as {number(row.tokens)}"
    return f"{messages}, {sizes}: {number(row.saved)} saved"

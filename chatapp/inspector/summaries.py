"""The panel's list of summaries: what became of each, what it saves, and why there is none."""

from dataclasses import dataclass

from history.core.checkpoints import summarize_every
from history.core.resolution import Settings
from history.core.settings import BY_NAME
from history.core.wording import number
from history.models import Checkpoint, CheckpointState, Conversation
from history.services.checkpoints import applying, checkpoints_of

SHOWN = 30


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """`state` in the reader's words."""

    label: str
    state: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Summaries:
    """`sentence` says how things stand; the newest row comes first."""

    sentence: str
    rows: tuple[SummaryRow, ...]


def summaries_of(conversation: Conversation, settings: Settings) -> Summaries:
    """As the open branch has them now, with the settings of the request that is shown."""
    found = list(checkpoints_of(conversation)[:SHOWN])
    applied = {point.id for point in applying(conversation)} if found else set()
    rows = tuple(_row(row, applies=row.pk in applied) for row in found)
    return Summaries(_sentence(found, len(applied), settings), rows)


def _sentence(found: list[Checkpoint], applied: int, settings: Settings) -> str:
    if found and found[0].state == CheckpointState.FAILED:
        again = f"Tried again after {number(summarize_every(settings))} further messages."
        return f"{found[0].outcome} {again}" if _is_on(settings) else found[0].outcome
    if applied:
        return "1 is sent" if applied == 1 else f"{applied} are sent"
    if not _is_on(settings):
        return f"off: {BY_NAME['summarize'].label} is off"
    if settings.value("policy") == "none":
        return "none: policy none sends no summary"
    return f"none yet: the first is due at {number(settings.value('trigger_at'))} messages"


def _is_on(settings: Settings) -> bool:
    return bool(settings.value("summarize")) or settings.value("pruner") == "summarize"


def _row(row: Checkpoint, *, applies: bool) -> SummaryRow:
    return SummaryRow(f"checkpoint {row.pk}", _state(row, applies=applies), _what(row))


def _state(row: Checkpoint, *, applies: bool) -> str:
    match row.state:
        case CheckpointState.READY:
            return "sent" if applies else "does not apply here"
        case CheckpointState.FOLDED:
            return f"folded into checkpoint {row.folded_into_id}"
    return {"pending": "being made", "undone": "taken back"}.get(row.state, row.state)


def _what(row: Checkpoint) -> str:
    messages = f"messages {number(row.first + 1)} to {number(row.last + 1)}"
    if row.state == CheckpointState.FAILED:
        return f"{messages}. {row.outcome}"
    if row.state == CheckpointState.PENDING:
        return messages
    sizes = f"{number(row.source_tokens)} tokens as {number(row.tokens)}"
    return f"{messages}, {sizes}: {number(row.saved)} saved"

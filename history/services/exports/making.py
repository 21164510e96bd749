"""Make the rows of an export from stored rows."""

from collections.abc import Iterator, Sequence
from typing import Any

from history.models import (
    Attachment,
    Branch,
    CallStage,
    Checkpoint,
    ContextPlan,
    Conversation,
    FileRecord,
    Generation,
    Media,
    Message,
    MessageMark,
)
from history.models.file_record import unpacked_record
from history.models.generation import SnapshotPart
from history.models.media import ENDINGS
from history.services.exports.message_schema import ExportedMessage
from history.services.exports.reader import ExportReader
from history.services.exports.records_schema import (
    ExportedFileRecord,
    ExportedOutcome,
    ExportedPlan,
    ExportedSummary,
)
from history.services.exports.schema import (
    AnsweredBy,
    AskedBy,
    Decision,
    ExportedAgent,
    ExportedAttachment,
    ExportedBranch,
    ExportedChat,
    ExportedGeneration,
    ExportedMark,
    ExportedMedia,
    ExportedSetting,
)


def chat(row: Conversation) -> ExportedChat:
    network = row.network
    return ExportedChat(
        **_same(row, "id", "title", "model", "imported", "created", "active"),
        agent=ExportedAgent(slug=row.agent.slug, name=row.agent.name),
        network=ExportedAgent(slug=network.slug, name=network.name) if network else None,
        settings=row.history_settings,
        pinned=row.pinned_at,
        archived=row.archived_at,
        branch=row.branch_id,
        asked_by=_asked_by(row),
    )


def _asked_by(row: Conversation) -> AskedBy | None:
    asking = row.asked_by
    if asking is None:
        return None
    return AskedBy(chat=asking.conversation_id, generation=asking.pk, call=row.asked_call)


def branch(row: Branch) -> ExportedBranch:
    return ExportedBranch(**_same(row, "id", "lineage", "created"))


def message(row: Message) -> ExportedMessage:
    names = ("id", "position", "turn", "role", "text", "parts", "tool_calls", "tool_call_id")
    more = ("tool_name", "failed", "took_ms", "agent", "tokens", "created")
    origin = ("imported", "withheld", "model", "file_answer", "missing")
    return ExportedMessage(
        **_same(row, *names, *more, *origin), branch=row.branch_id, generation=row.generation_id
    )


def mark(row: MessageMark) -> ExportedMark:
    return ExportedMark(message=row.message_id, **_same(row, "kind", "created"))


def generation(row: Generation, stages: Sequence[CallStage]) -> ExportedGeneration:
    names = ("id", "turn", "kind", "status", "error", "created", "started", "ended")
    return ExportedGeneration(
        **_same(row, *names),
        branch=row.branch_id,
        answered_by=list(map(_answered_by, row.parts)),
        approvals=[
            Decision(call=stage.call_id, **_same(stage, "kind", "person", "words", "created"))
            for stage in stages
        ],
    )


def _answered_by(part: SnapshotPart) -> AnsweredBy:
    agent = part.agent
    return AnsweredBy(
        step=part.step,
        agent=ExportedAgent(**_same(agent, "slug", "name")),
        network=ExportedAgent(**agent.network) if agent.network else None,
        settings=dict(_settings(part)),
        **_same(agent, "version", "model"),
    )


def _settings(part: SnapshotPart) -> Iterator[tuple[str, ExportedSetting]]:
    for name in part.stored_settings:
        winner = part.settings[name].winner
        yield name, ExportedSetting(value=winner.value, source=winner.decider)


def plan(row: ContextPlan, reader: ExportReader) -> ExportedPlan:
    names = ("step", "head", "plan", "parameters", "marks", "request_hash", "created")
    return ExportedPlan(
        **_same(row, *names),
        generation=row.generation_id,
        branch=row.branch_id,
        texts=reader.texts_of(row),
        summaries=row.checkpoints,
        planner=row.version,
        outcome=_outcome(row, sees_cost=reader.sees_cost(row.generation.conversation)),
    )


def _outcome(row: ContextPlan, *, sees_cost: bool) -> ExportedOutcome | None:
    outcome = getattr(row, "outcome", None)
    if outcome is None:
        return None
    return ExportedOutcome(**{**outcome.as_dict(), **({} if sees_cost else {"cost": None})})


def summary(row: Checkpoint, *, sees_cost: bool) -> ExportedSummary:
    names = ("id", "first", "last", "first_turn", "last_turn", "excluded", "chain", "summary")
    more = ("prompt_version", "tokens", "source_tokens", "model", "usage", "manual", "state")
    return ExportedSummary(
        **_same(row, *names, *more, "reason", "created", "ended"),
        branch=row.branch_id,
        cost=row.cost if sees_cost else None,
        folded_into=row.folded_into_id,
    )


def file_record(row: FileRecord) -> ExportedFileRecord:
    record = unpacked_record(row.packed)
    return ExportedFileRecord(message=row.message_id, record=record, **_same(row, "kind"))


def attachment(row: Attachment) -> ExportedAttachment:
    names = ("id", "supplied", "name", "type", "size", "pages", "created")
    digests = sorted(media.digest for media in row.media.all())
    return ExportedAttachment(**_same(row, *names), message=row.message_id, media=digests)


def media(row: Media) -> ExportedMedia:
    names = ("digest", "type", "size", "width", "height")
    return ExportedMedia(**_same(row, *names), file=file_of(row))


def file_of(row: Media) -> str:
    """Return the path at which an archive contains a file's bytes."""
    return f"files/{row.digest}.{ENDINGS[row.type]}"


def _same(row: object, *names: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}

"""The schema of what an export tells about requests: plans with their outcomes, and summaries."""

from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel

from history.services.exports.schema_types import Id, Name, Number, Text, Time


class ExportedOutcome(BaseModel):
    """What the provider reported. `cost` is null if a price was unknown, or the reader may not see
    it. `streamed` counts the characters that came and those that were kept.
    """

    finish_reason: Name = ""
    usage: dict[str, Any] | None = None
    cost: dict[str, Any] | None = None
    attempts: Number = 1
    first_token_ms: float | None = None
    total_ms: float
    error: dict[str, Any] | None = None
    streamed: dict[str, Any] | None = None


class ExportedPlan(BaseModel):
    """The record of one request. `plan` is what docs/inspector.md describes, with facts and no
    sentences; `texts` name the file's texts, without those that the reader may not see.
    """

    generation: UUID
    step: Number
    branch: Id
    head: Number
    plan: dict[str, Any]
    parameters: dict[str, Any] = {}
    texts: dict[str, Name] = {}
    marks: dict[str, list[Number]] = {}
    summaries: list[Id] = []
    request_hash: Name = ""
    planner: Number
    outcome: ExportedOutcome | None = None
    created: Time


class ExportedFileRecord(BaseModel):
    """A request (as in `plans`) or summary (as in `summaries`) from an imported chat's own file.

    It is unchecked, and its ids are those of that file. `message` is this export's id of the newest
    message that the request contained or the summary stands for.
    """

    message: Id
    kind: Literal["request", "summary"] = "request"
    record: dict[str, Any]


class ExportedSummary(BaseModel):
    """A summary of the messages from `first` to `last` on the path of its branch.

    `tokens` is its size, `source_tokens` that of what it replaces; `reason` is why it failed, as a
    fact or a sentence.
    """

    id: Id
    branch: Id
    first: Number
    last: Number
    first_turn: Number
    last_turn: Number
    excluded: list[Number] = []
    chain: Name = ""
    prompt_version: Number
    summary: Text
    tokens: Number = 0
    source_tokens: Number = 0
    model: Name = ""
    usage: dict[str, Any] | None = None
    cost: dict[str, Any] | None = None
    manual: bool = False
    state: Literal["pending", "ready", "failed", "undone", "folded"]
    reason: Text = ""
    folded_into: Id | None = None
    created: Time
    ended: Time | None = None


class ExportedText(BaseModel):
    """A prompt or another text that requests contained, under the SHA-256 that names it."""

    hash: Name
    text: Text

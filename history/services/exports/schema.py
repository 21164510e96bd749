"""The schema of an exported chat, from which docs/export.schema.json and every export are made.

A minor version adds fields, which older readers leave out; a major one changes what fields mean.
All ids are those of the file: they tell which of its rows belong together.
"""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field
from pydantic.json_schema import GenerateJsonSchema

from history.services.exports.message_schema import ExportedMessage
from history.services.exports.records_schema import (
    ExportedFileRecord,
    ExportedPlan,
    ExportedSummary,
    ExportedText,
)
from history.services.exports.schema_types import Id, Name, Number, Text, Time

VERSION = "1.0"


class ExportedAgent(BaseModel):
    """An agent or a network."""

    slug: Name
    name: Text


class AskedBy(BaseModel):
    """The tool call that delegated a chat. The call is in another file of the same export."""

    chat: UUID
    generation: UUID
    call: Name


class ExportedChat(BaseModel):
    """`settings` are those that were set in this chat; each plan has all that applied to it.

    `branch` is the one that is open. `model` is empty if the agent's own is used. `imported` names
    the format of the file that the chat came from, and is empty if it began here.
    """

    id: UUID
    title: Name
    agent: ExportedAgent
    network: ExportedAgent | None = None
    model: Name = ""
    imported: Name = ""
    settings: dict[str, Any] = {}
    branch: Id | None = None
    asked_by: AskedBy | None = None
    pinned: Time | None = None
    archived: Time | None = None
    created: Time
    active: Time


class ExportedBranch(BaseModel):
    """A line of the transcript. `lineage` says which messages it shares with older branches: pairs
    of a branch and the last position taken from it, the oldest first. Its own messages follow.
    """

    id: Id
    lineage: list[tuple[Id, Number]] = []
    created: Time


class ExportedMark(BaseModel):
    """The pin or the exclusion of a segment, whose first message it names."""

    message: Id
    kind: Literal["pin", "exclusion"]
    created: Time


class ExportedSetting(BaseModel):
    """The value that applied, and who set it."""

    value: Any
    source: Text


class AnsweredBy(BaseModel):
    """Who answered from a step on, by which version of the agent's template, and under which
    settings. The plans also have these settings' other candidates.
    """

    step: Number = 0
    agent: ExportedAgent
    version: Number = 0
    model: Name = ""
    network: ExportedAgent | None = None
    settings: dict[str, ExportedSetting] = {}


class Decision(BaseModel):
    """A stage that a call reached, if a person had to approve it."""

    call: Name
    kind: Literal["asked", "approved", "refused", "withdrawn", "begun"]
    person: Text = ""
    words: Text = ""
    created: Time


class ExportedGeneration(BaseModel):
    """The work on one answer; `answered_by` has more than one entry after a hand-over."""

    id: UUID
    branch: Id
    turn: Number
    kind: Literal["answer", "continue", "what_if"]
    status: Literal[
        "queued", "running", "waiting", "done", "stopped", "passed_over", "interrupted", "failed"
    ]
    answered_by: list[AnsweredBy]
    approvals: list[Decision] = []
    error: dict[str, Any] | None = None
    created: Time
    started: Time | None = None
    ended: Time | None = None


class ExportedAttachment(BaseModel):
    """A file as somebody or a tool supplied it; the message has its parts.

    `media` are the digests of the bytes that are kept of it.
    """

    id: UUID
    message: Id | None
    supplied: Name
    name: Text
    type: Name
    size: Number
    pages: Number = 0
    media: list[Name] = []
    created: Time


class ExportedMedia(BaseModel):
    """Bytes that are kept, and their place in the archive."""

    digest: Name
    type: Name
    size: Number
    width: Number = 0
    height: Number = 0
    file: Name


class ExportHead(BaseModel):
    """What the file begins with."""

    format: Literal["vitrine-chat"] = "vitrine-chat"
    version: Annotated[str, Field(pattern=r"^\d{1,4}\.\d{1,4}$")] = VERSION
    exported: Time
    chat: ExportedChat


class Export(ExportHead):
    """A whole file. The lists come in this order; messages are in the order of their branches and
    positions, and everything else is in the order in which it was made.
    """

    branches: list[ExportedBranch]
    generations: list[ExportedGeneration]
    messages: list[ExportedMessage]
    marks: list[ExportedMark]
    summaries: list[ExportedSummary]
    plans: list[ExportedPlan]
    texts: list[ExportedText]
    file_records: list[ExportedFileRecord] = []
    attachments: list[ExportedAttachment]
    media: list[ExportedMedia]


class _Untitled(GenerateJsonSchema):
    """Omits titles, which repeat the names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def json_schema() -> dict[str, Any]:
    """Return the schema of an export's file in the form of JSON Schema."""
    schema = Export.model_json_schema(mode="serialization", schema_generator=_Untitled)
    return {"$schema": GenerateJsonSchema.schema_dialect, **schema}

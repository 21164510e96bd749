"""The shapes of the API: its answers, and the input that it accepts."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict, Field

from history.services.answers.commands import WantedModel
from history.services.exports.message_schema import (
    ExportedFile,
    ExportedImage,
    ExportedReasoning,
)

Identity = Annotated[int, Field(ge=1, lt=2**63)]


class Incoming(Schema):
    """Unknown fields are refused, so that nobody thinks a role or a message list was accepted."""

    model_config = ConfigDict(extra="forbid")


class ConversationIn(Incoming):
    """Changes to a conversation; fields left out stay unchanged."""

    title: str | None = None
    pinned: bool | None = None
    archived: bool | None = None
    model: WantedModel | None = None
    history_settings: dict[str, Any] | None = None


class MarkIn(Incoming):
    """A person's decision about a message, and so about its whole segment."""

    kind: Literal["pin", "exclusion"]


class ConversationOut(Schema):
    """`agent` is the one it began with; each message names its author. `model` is the one chosen
    in this chat, empty for the agent's own. `imported` is the format of the file that it comes
    from; empty if it began here.
    """

    id: UUID
    title: str
    agent: str
    network: str | None
    model: str
    imported: str
    branch: int
    pinned: bool
    archived: bool
    history_settings: dict[str, Any]
    created: datetime
    active: datetime
    active_generation: UUID | None = None


class LoweredOut(Schema):
    """A setting that is beyond the server's maximum, and the value that applies. For a policy
    `all`, that is the length. `variable` names the environment variable that sets the maximum.
    """

    name: str
    asked: Any
    value: int
    variable: str


class ChangedOut(ConversationOut):
    """`warnings`: contradictions in the conversation's own settings, which are stored all the same.
    `lowered`: its own settings that are beyond the server's maximum.
    """

    warnings: list[str]
    lowered: list[LoweredOut]


class ConversationsOut(Schema):
    """One page; pass `next` as `before` to get the one after it."""

    conversations: list[ConversationOut]
    next: UUID | None


class MarkOut(Schema):
    """The mark, and the segment's first message, which carries it."""

    message: int
    position: int
    kind: str


class ImageOut(ExportedImage):
    """An image as it is sent to models, with the `address` of its bytes."""

    address: str


class FileOut(ExportedFile):
    """A file, with the `text` that models read of it. At its `address` it is as it was supplied."""

    address: str


PartOut: TypeAlias = Annotated[ExportedReasoning | ImageOut | FileOut, Field(discriminator="kind")]


class MessageOut(Schema):
    """`mark` is that of the message's segment. A message that is `imported` comes from a file,
    which says which `model` wrote it; one that is `withheld` is shown but never sent. `parts` is
    what it holds besides its text and its calls; their numbers count from 0.
    """

    id: int
    position: int
    turn: int
    role: str
    text: str
    parts: list[PartOut]
    tool_calls: list[dict[str, Any]]
    tool_call_id: str
    tool_name: str
    failed: bool
    took_ms: int | None
    agent: str
    imported: bool
    withheld: bool
    model: str
    tokens: int
    mark: str | None
    generation: UUID | None
    created: datetime


class MessagesOut(Schema):
    """One page in path order; pass `next` as `before` to get older ones."""

    messages: list[MessageOut]
    next: int | None


class CheckpointOut(Schema):
    """A summary of the messages at these positions. `applies`: the next request includes it.

    `source_tokens` are the tokens of what it replaces, `tokens` its own, `reason` says why it
    failed. `wires` are the requests that left to have it written, as in a plan; null in lists.
    """

    id: int
    state: Literal["pending", "ready", "failed", "undone", "folded"]
    applies: bool
    first: int
    last: int
    summary: str
    tokens: int
    source_tokens: int
    model: str
    manual: bool
    reason: str
    folded_into: int | None
    wires: list[dict[str, Any]] | None
    created: datetime
    ended: datetime | None


class StatisticsOut(Schema):
    """One conversation's figures. `usage` are the tokens by kind that providers reported; null if
    none ever did.
    """

    messages: dict[str, int]
    turns: int
    branches: int
    tokens: int
    generations: dict[str, int]
    requests: int
    usage: dict[str, int] | None
    checkpoints: dict[str, int]
    summary_tokens: int
    summarised_tokens: int


class PlanOut(Schema):
    """A stored context plan with its request's outcome. `wires` are the requests that left, one for
    each attempt, with its JSON `body`; empty if none was recorded, null in lists of plans. The
    `differences` of a wire say, each as a fact and a sentence, what the library changed before
    sending; those that change only the form come last. They are null if the request can't be
    rebuilt. `headline` says in one sentence what the `plan` says in facts.
    """

    conversation: UUID
    generation: UUID
    turn: int
    step: int
    head: int
    headline: str
    parameters: dict[str, Any]
    request_hash: str
    plan: dict[str, Any]
    outcome: dict[str, Any] | None
    wires: list[dict[str, Any]] | None
    created: datetime


class CandidateOut(Schema):
    layer: str
    source: str
    raw: Any
    value: Any
    outcome: str
    reason: str
    capped: bool = False
    variable: str = ""


class MaximumOut(Schema):
    """The most that the server allows, and the environment variable that says so."""

    value: int
    variable: str


class SettingOut(Schema):
    """`maximum` is null where the server allows anything, or sets the value itself."""

    name: str
    label: str
    value: Any
    source: str
    locked: bool
    maximum: MaximumOut | None
    candidates: list[CandidateOut]

"""The shapes of the API: its answers, and the little it accepts."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict, Field

from history.services.answers.commands import WantedModel

Identity = Annotated[int, Field(ge=1, lt=2**63)]


class Incoming(Schema):
    """Unknown fields are refused, so that nobody thinks a role or a message list was accepted."""

    model_config = ConfigDict(extra="forbid")


class ConversationIn(Incoming):
    """Changes to a conversation; fields left out stay unchanged."""

    title: str | None = None
    model: WantedModel | None = None
    history_settings: dict[str, Any] | None = None


class MarkIn(Incoming):
    """A person's decision about a message, and so about its whole segment."""

    kind: Literal["pin", "exclusion"]


class ConversationOut(Schema):
    """`agent` is the one it began with; each message names its author. `model` is the one chosen
    in this chat, empty for the agent's own.
    """

    id: UUID
    title: str
    agent: str
    network: str | None
    model: str
    branch: int
    history_settings: dict[str, Any]
    created: datetime
    active: datetime
    active_generation: UUID | None = None


class ChangedOut(ConversationOut):
    """`warnings`: contradictions in the conversation's own settings, which are stored all the
    same.
    """

    warnings: list[str]


class ConversationsOut(Schema):
    """One page; pass `next` as `before` to get the one after it."""

    conversations: list[ConversationOut]
    next: UUID | None


class MarkOut(Schema):
    """The mark, and the segment's first message, which carries it."""

    message: int
    position: int
    kind: str


class ReasoningOut(Schema):
    """What the model thought before it said something. `fields` are the provider's own."""

    kind: Literal["reasoning"]
    form: Literal["text", "summary", "signed", "redacted"]
    text: str = ""
    family: str = ""
    fields: dict[str, Any] = {}
    tokens: int = 0
    took_ms: int = 0


class AttachedOut(Schema):
    """What an image and a file have in common. `digest` is the SHA-256 of the bytes at `address`,
    `supplied` that of the file that somebody gave, `at` the part's place in the message's text.
    """

    name: str = ""
    type: str
    size: int = 0
    tokens: int = 0
    digest: str
    supplied: str
    address: str
    at: int = 0


class ImageOut(AttachedOut):
    """An image as it is sent to models; `page` is that of a file which it shows, else 0."""

    kind: Literal["image"]
    page: int = 0
    width: int = 0
    height: int = 0


class FileOut(AttachedOut):
    """A file, with the `text` that models read of it. At its address it is as it was supplied."""

    kind: Literal["file"]
    pages: int = 0
    text: str = ""


PartOut: TypeAlias = Annotated[ReasoningOut | ImageOut | FileOut, Field(discriminator="kind")]


class MessageOut(Schema):
    """`mark` is that of the message's segment. `parts` is what it holds besides its text and its
    calls; their numbers count from 0.
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

    `source_tokens` is what it replaces, `tokens` what it costs, `reason` why it failed. `wires`
    is what left to have it written, as in a plan; null in lists.
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
    """One conversation's figures. Providers reported the tokens by kind; None if none ever did."""

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
    """A stored context plan with its request's outcome. `wires` is what left, one for each
    attempt, with its JSON `body`; empty if that was not recorded, null in lists of plans. Each
    of its `differences` is a fact and its sentence about what the library changed before sending;
    null if the request can't be rebuilt and so not compared.
    """

    conversation: UUID
    generation: UUID
    turn: int
    step: int
    head: int
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


class SettingOut(Schema):
    name: str
    label: str
    value: Any
    source: str
    locked: bool
    candidates: list[CandidateOut]

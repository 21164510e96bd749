"""The schema of an exported message with its parts and calls."""

from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from pydantic import BaseModel, Field

from history.core.transcript.messages import Role
from history.core.transcript.parts import ReasoningForm
from history.services.exports.schema_types import Fields, Id, Name, Number, Text, Time


class ExportedBond(BaseModel):
    """What a model's reasoning is bound to: the model's name, the digest of the request that it
    came back for, and the name of the last reasoning in that request.
    """

    model: Name
    prefix: Name
    after: Name = ""


class ExportedReasoning(BaseModel):
    """What the model thought. `fields` are its provider's own, such as a signature, and `at` is the
    place in the message's text before which it was thought, in characters.
    """

    kind: Literal["reasoning"]
    form: ReasoningForm
    text: Text = ""
    family: Name = ""
    fields: Fields = {}
    tokens: Number = 0
    took_ms: Number = 0
    at: Number = 0
    bond: ExportedBond | None = None


class ExportedAttached(BaseModel):
    """`digest` is the SHA-256 of the bytes that are kept, `supplied` of the file that somebody
    gave, `at` the part's place in the message's text, in characters.
    """

    name: Text = ""
    type: Name
    size: Number = 0
    tokens: Number = 0
    digest: Name
    supplied: Name
    at: Number = 0


class ExportedImage(ExportedAttached):
    """An image as models get it; `page` is the page of a file that it shows, else 0."""

    kind: Literal["image"]
    page: Number = 0
    width: Number = 0
    height: Number = 0


class ExportedFile(ExportedAttached):
    """A file, with the text that models read. `is_scanned`: its pages have images, but no text."""

    kind: Literal["file"]
    pages: Number = 0
    text: Text = ""
    is_scanned: bool = False


ExportedPart: TypeAlias = Annotated[
    ExportedReasoning | ExportedImage | ExportedFile, Field(discriminator="kind")
]


class ExportedCall(BaseModel):
    """A tool call. `arguments` is JSON as the model wrote it, `fields` are the provider's own."""

    id: Name
    name: Text
    arguments: Text
    tokens: Number = 0
    fields: Fields = {}


class ExportedFileAnswer(BaseModel):
    """What an imported chat's own file said of an answer: whether it `continues` the answer before
    it, which was broken off, and how it ended. Nobody has checked it.
    """

    continues: bool = False
    status: Literal["done", "stopped", "passed_over", "interrupted", "failed"] = "done"
    error: Fields | None = None


class ExportedMessage(BaseModel):
    """`position` is the message's place on the path of its branch, from 0; `turn` counts the user's
    messages up to it. `generation` is the answer it belongs to. A tool's result names the call it
    answers.

    `agent` is the slug of the agent that wrote it. One that was `imported` from a file has the
    `agent`'s name and the `model` that the file gives; one that is `withheld` is a file's
    instruction, which no model is sent; `file_answer` is given with the first message of an answer,
    and `missing` names attached files that were missing from that file.
    """

    id: Id
    branch: Id
    position: Number
    turn: Number
    role: Role
    text: Text
    parts: list[ExportedPart] = []
    tool_calls: list[ExportedCall] = []
    tool_call_id: Name = ""
    tool_name: Name = ""
    failed: bool = False
    took_ms: Number | None = None
    agent: Name = ""
    tokens: Number = 0
    imported: bool = False
    withheld: bool = False
    model: Name = ""
    file_answer: ExportedFileAnswer | None = None
    missing: list[Text] | None = None
    generation: UUID | None = None
    created: Time

"""People's commands, as the socket and the API read them and the services carry them out."""

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from history.services.texts import Storable

Slug = Annotated[Storable, Field(max_length=50)]
WantedModel = Annotated[Storable, Field(max_length=120)]
Head = Annotated[int, Field(ge=-1, lt=2**31)]
Attachments = Annotated[tuple[UUID, ...], Field(max_length=100)]
PartNumbers = Annotated[tuple[Annotated[int, Field(ge=0, lt=2**31)], ...], Field(max_length=1_000)]


class Command(BaseModel):
    """Unknown fields are refused, so that a client that sends a role or messages gets an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Send(Command):
    """A person's text and the files they attached. `head` is the newest position that their page
    showed: the command is refused if there are newer messages. None skips this check.

    A new conversation begins with an agent or in a network, whichever is named. `model` is one of
    the agent's list, for this message and those after it; empty changes nothing.
    """

    text: str
    client_msg_id: UUID
    conversation: UUID | None = None
    agent: Slug = ""
    network: Slug = ""
    model: WantedModel = ""
    attachments: Attachments = ()
    head: Head | None = None
    query: str = ""


class Edit(Command):
    """A new text for the user message with this primary key.

    The message keeps its files, except those with a part whose number is in `without`;
    `attachments` are added.
    """

    text: str
    client_msg_id: UUID
    conversation: UUID
    message: Annotated[int, Field(ge=1, lt=2**63)]
    without: PartNumbers = ()
    attachments: Attachments = ()
    query: str = ""


class KeepFollowUp(Command):
    """A person's text, to be sent when the answer that is being written is done."""

    text: str
    client_msg_id: UUID
    conversation: UUID
    model: WantedModel = ""
    query: str = ""

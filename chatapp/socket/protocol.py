"""The commands of a socket, with a small model for each; anything else is refused."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, TypeAdapter, ValidationError

from history.core.words.json_text import read_json
from history.services.answers import commands
from history.services.answers.commands import Command
from history.services.errors import Refused
from history.services.texts import Storable, field_fault

Query = Annotated[Storable, Field(max_length=4_000)]


class Subscribe(Command):
    type: Literal["subscribe"]
    conversation: UUID
    generation: UUID | None = None
    after_seq: Annotated[int, Field(ge=0, lt=2**31)] = 0
    follow_up: bool = False  # Whether the page shows a waiting follow-up.


class Send(commands.Send):
    type: Literal["send"]
    query: Query = ""


class Edit(commands.Edit):
    type: Literal["edit"]
    query: Query = ""


class FollowUp(commands.KeepFollowUp):
    type: Literal["follow_up"]
    query: Query = ""


class Waiting(Command):
    """A command to take back a waiting follow-up, or to send it at once."""

    type: Literal["take_back", "send_now"]
    conversation: UUID
    client_msg_id: UUID


class Retry(Command):
    type: Literal["retry", "continue"]
    conversation: UUID
    generation: UUID
    query: Query = ""


class AnswerAgain(Command):
    """A command to retry an answer from an imported file, which only its turn identifies."""

    type: Literal["answer_again"]
    conversation: UUID
    turn: Annotated[int, Field(ge=1, lt=2**31)]
    query: Query = ""


class Stop(Command):
    type: Literal["stop"]
    conversation: UUID
    generation: UUID


class Seen(Command):
    """Says that a person looks at the chat, to its newest answer."""

    type: Literal["seen"]
    conversation: UUID


class Ping(Command):
    type: Literal["ping"]


# Commands for which the person's session is looked up; a ping needs none.
Act = Subscribe | Send | Edit | FollowUp | Waiting | Retry | AnswerAgain | Stop | Seen
Changing = Send | Edit | Retry | AnswerAgain
AnyCommand = Act | Ping
_commands: TypeAdapter[AnyCommand] = TypeAdapter(Annotated[AnyCommand, Field(discriminator="type")])


def parse(text: str) -> AnyCommand:
    """Parse a frame. Raise Refused, which names the field at fault, but never its content."""
    try:
        return _commands.validate_python(_loads(text), strict=False)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Refused("invalid", f"{where or 'frame'}: {field_fault(first)}") from error


def client_msg_id(text: str) -> str | None:
    """Return the id in a refused frame, so that its sender can tell which frame was refused."""
    try:
        frame = _loads(text)
    except Refused:
        return None
    value = frame.get("client_msg_id") if isinstance(frame, dict) else None
    return value if isinstance(value, str) and len(value) <= 36 else None


def _loads(text: str) -> Any:
    try:
        return read_json(text, each_name_once=True)
    except ValueError as error:
        raise Refused("invalid", "That is not a JSON object.") from error

"""Tool calls as cards."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from chatapp.pages.marking import Marked
from history.core.json_text import read_json
from history.models import Message
from history.services.texts import storable

DIGEST_LENGTH = 120


class State(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    UNANSWERED = "unanswered"

    @property
    def label(self) -> str:
        return {"running": "Running", "done": "Done", "failed": "Failed"}.get(self, "No result")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stored call is: the position of its result, or of the message that made it, and what
    a person decided about both.
    """

    position: int
    marked: Marked


@dataclass(frozen=True, slots=True)
class ToolCard:
    """One call. `arguments` is its JSON as the model wrote it, `result` the text that came back.

    `place` is None while the answer is being written. `asked` is where to read what another agent
    did, for a call that asked one.
    """

    id: str
    name: str
    arguments: str
    state: State
    result: str = ""
    place: Place | None = None
    asked: str = ""

    @property
    def pretty(self) -> str:
        """The arguments, indented where they are JSON."""
        values = self._parsed
        if values is None:
            return self.arguments
        return storable(json.dumps(values, indent=2, ensure_ascii=False))

    @property
    def digest(self) -> str:
        """The arguments on one line, for the folded card."""
        values = self._parsed
        if not isinstance(values, dict):
            return self.arguments[:DIGEST_LENGTH]
        return storable(", ".join(map(str, values.values())))[:DIGEST_LENGTH]

    @property
    def _parsed(self) -> Any:
        """None where it is no JSON. What an escape stands for may be what no database holds."""
        try:
            return read_json(self.arguments)
        except ValueError:
            return None


def pending(call: dict[str, Any]) -> ToolCard:
    return _card(call, State.RUNNING)


def answered(call: dict[str, Any], result: Message, place: Place | None = None) -> ToolCard:
    return _card(call, State.FAILED if result.failed else State.DONE, result.text, place)


def unanswered(
    call: dict[str, Any], place: Place | None = None, *, is_active: bool = False
) -> ToolCard:
    return _card(call, State.RUNNING if is_active else State.UNANSWERED, place=place)


def _card(
    call: dict[str, Any], state: State, result: str = "", place: Place | None = None
) -> ToolCard:
    return ToolCard(call["id"], call["name"], call["arguments"], state, result, place)

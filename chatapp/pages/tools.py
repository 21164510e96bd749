"""Tool calls as cards."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from history.models import Message

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
class ToolCard:
    """One call. `arguments` is its JSON as the model wrote it, `result` the text that came back."""

    id: str
    name: str
    arguments: str
    state: State
    result: str = ""

    @property
    def pretty(self) -> str:
        """The arguments, indented where they are JSON."""
        try:
            return json.dumps(json.loads(self.arguments), indent=2, ensure_ascii=False)
        except ValueError:
            return self.arguments

    @property
    def digest(self) -> str:
        """The arguments on one line, for the folded card."""
        try:
            values = json.loads(self.arguments)
        except ValueError:
            return self.arguments[:DIGEST_LENGTH]
        if not isinstance(values, dict):
            return self.arguments[:DIGEST_LENGTH]
        return ", ".join(map(str, values.values()))[:DIGEST_LENGTH]


def pending(call: dict[str, Any]) -> ToolCard:
    return _card(call, State.RUNNING)


def answered(call: dict[str, Any], result: Message) -> ToolCard:
    return _card(call, State.FAILED if result.failed else State.DONE, result.text)


def unanswered(call: dict[str, Any], *, is_active: bool) -> ToolCard:
    return _card(call, State.RUNNING if is_active else State.UNANSWERED)


def _card(call: dict[str, Any], state: State, result: str = "") -> ToolCard:
    return ToolCard(call["id"], call["name"], call["arguments"], state, result)

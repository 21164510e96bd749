"""The line in an answer at which another agent takes over."""

from dataclasses import dataclass

from history.models import Message

LONGEST = 160  # Characters of a line that parts an answer in two.


@dataclass(frozen=True, slots=True)
class HandOver:
    """`line` says who handed over to whom, and why; `speaker` is the name of who goes on."""

    call: str
    line: str
    speaker: str

    @property
    def short(self) -> str:
        """The line as far as it has room."""
        return f"{self.line[:LONGEST].rstrip()}…" if self.is_long else self.line

    @property
    def is_long(self) -> bool:
        return len(self.line) > LONGEST


def hand_over(result: Message) -> HandOver | None:
    """None where the tool result is of another kind; those alone name an agent."""
    if not result.agent or result.generation is None:
        return None
    name = result.generation.agent_names.get(result.agent, result.agent)
    return HandOver(result.tool_call_id, result.text, name)

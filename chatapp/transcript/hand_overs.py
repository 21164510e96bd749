"""The line that says who handed over to whom."""

from dataclasses import dataclass

from history.models import Message

LONGEST = 160  # The most characters of the line about a hand-over, which divides an answer.


@dataclass(frozen=True, slots=True)
class HandOverLine:
    """The line on a hand-over. `line` says who handed over to whom, and why; `speaker` is the name
    of the agent that answers from there on.
    """

    call: str
    line: str
    speaker: str

    @property
    def short(self) -> str:
        """The line, shortened if it is too long."""
        return f"{self.line[:LONGEST].rstrip()}…" if self.is_long else self.line

    @property
    def is_long(self) -> bool:
        return len(self.line) > LONGEST


def hand_over(result: Message) -> HandOverLine | None:
    """Read a hand-over from a tool result; None for any other result: it names no agent."""
    if not result.agent or result.generation is None:
        return None
    name = result.generation.agent_names.get(result.agent, result.agent)
    return HandOverLine(result.tool_call_id, result.text, name)

"""The line in an answer at which another agent takes over."""

from dataclasses import dataclass

from history.models import Message


@dataclass(frozen=True, slots=True)
class HandOver:
    """`line` says who handed over to whom, and why; `speaker` is the name of who goes on."""

    call: str
    line: str
    speaker: str


def hand_over(result: Message) -> HandOver | None:
    """None where the tool result is of another kind; those alone name an agent."""
    if not result.agent or result.generation is None:
        return None
    name = result.generation.agent_names.get(result.agent, result.agent)
    return HandOver(result.tool_call_id, result.text, name)

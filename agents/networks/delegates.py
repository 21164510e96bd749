"""The tools by which an agent delegates a task to another, in a conversation of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from agents.networks.agent_tool import AgentTool
from agents.tools.arguments import arguments_of

PREFIX = "ask_"

Task = Annotated[
    str,
    Field(
        min_length=1,
        max_length=50_000,
        description="The task, with everything needed for it. The agent sees nothing else.",
    ),
]


def _ask(task: Task) -> str:
    return task


ARGUMENTS = arguments_of(_ask)


@dataclass(frozen=True, slots=True)
class Delegate(AgentTool):
    """The agent to delegate to."""

    @property
    def schema(self) -> dict[str, Any]:
        does = f"Ask {self.name} to do a task and wait for the answer."
        return self.offered(does, ARGUMENTS.schema)


def delegates_in(agent: Mapping[str, Any]) -> tuple[Delegate, ...]:
    """Return those in an agent's snapshot; old ones have none."""
    return tuple(Delegate(**each) for each in agent.get("asks", ()))

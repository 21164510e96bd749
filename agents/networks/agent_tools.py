"""The tools for reaching another agent: one hands the conversation over, one delegates a task."""

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import Field

from agents.tools.arguments import Arguments, arguments_of, function_schema

if TYPE_CHECKING:
    from agents.models import AgentTemplate

LONGEST_NAME = 64  # The longest name of a tool that every provider takes.
LONGEST_REASON = 500

Reason = Annotated[
    str,
    Field(
        max_length=LONGEST_REASON,
        description="The reason, in a few words. Everyone in the chat can read it.",
    ),
]
Task = Annotated[
    str,
    Field(
        min_length=1,
        max_length=50_000,
        description="The task, with everything needed for it. The agent sees nothing else.",
    ),
]


def _transfer(reason: Reason = "") -> str:
    return reason


def _ask(task: Task) -> str:
    return task


@dataclass(frozen=True, slots=True)
class AgentTool:
    """The name of a tool for the model, and the slug of the agent that the tool reaches."""

    prefix: ClassVar[str]
    does: ClassVar[str]
    arguments: ClassVar[Arguments]

    tool: str
    agent: str
    name: str
    description: str

    @classmethod
    def to(cls, agent: "AgentTemplate") -> Self:
        return cls(tool_name(cls.prefix, agent.slug), agent.slug, agent.name, agent.description)

    @property
    def schema(self) -> dict[str, Any]:
        description = f"{self.does.format(agent=self.name)} {self.description}".strip()
        return function_schema(self.tool, description, self.arguments.schema)

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


class Transfer(AgentTool):
    """Hands the conversation over to an agent of the same network."""

    prefix = "transfer_to_"
    does = "Hand the conversation over to {agent}, who answers from then on."
    arguments = arguments_of(_transfer)


class Delegate(AgentTool):
    """Delegates a task to an agent, in a conversation of its own."""

    prefix = "ask_"
    does = "Ask {agent} to do a task and wait for the answer."
    arguments = arguments_of(_ask)


def tool_name(prefix: str, slug: str) -> str:
    """Make a tool's name that providers accept, whatever the slug contains."""
    return (prefix + re.sub(r"[^A-Za-z0-9_-]", "_", slug))[:LONGEST_NAME]


def line(before: str, after: str, reason: str) -> str:
    """Write the transcript's sentence on a hand-over, for people and models alike."""
    why = " ".join(reason.split())
    return f"{before} handed over to {after}{f': {why}' if why else ''}"

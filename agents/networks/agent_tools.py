"""The tools by which an agent reaches another: to hand over to it, or to delegate a task to it."""

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import Field

from agents.tools.arguments import Arguments, arguments_of, function_schema

if TYPE_CHECKING:
    from agents.models import AgentTemplate

LONGEST_NAME = 64  # Characters of a tool's name that every provider takes.
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
    """`tool` is what the model calls it, `agent` the slug of the agent it reaches."""

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
    """Make a name that providers accept, whatever the slug contains."""
    return (prefix + re.sub(r"[^A-Za-z0-9_-]", "_", slug))[:LONGEST_NAME]


def line(before: str, after: str, reason: str) -> str:
    """Write what the transcript says about a hand-over, for people and models alike."""
    why = " ".join(reason.split())
    return f"{before} handed over to {after}{f': {why}' if why else ''}"

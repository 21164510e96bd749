"""The tools by which an agent of a network hands a conversation over to another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from agents.networks.agent_tool import AgentTool
from agents.tools.arguments import arguments_of

PREFIX = "transfer_to_"
LONGEST_REASON = 500

Reason = Annotated[
    str,
    Field(
        max_length=LONGEST_REASON,
        description="The reason, in a few words. Everyone in the chat can read it.",
    ),
]


def _transfer(reason: Reason = "") -> str:
    return reason


ARGUMENTS = arguments_of(_transfer)


@dataclass(frozen=True, slots=True)
class Transfer(AgentTool):
    """The agent that answers then."""

    @property
    def schema(self) -> dict[str, Any]:
        does = f"Hand the conversation over to {self.name}, who answers from then on."
        return self.offered(does, ARGUMENTS.schema)


def transfers_in(agent: Mapping[str, Any]) -> tuple[Transfer, ...]:
    """Return those in an agent's snapshot; old ones have none."""
    return tuple(Transfer(**each) for each in agent.get("transfers", ()))


def line(before: str, after: str, reason: str) -> str:
    """Write what the transcript says about a hand-over, for people and models alike."""
    why = " ".join(reason.split())
    return f"{before} handed over to {after}{f': {why}' if why else ''}"

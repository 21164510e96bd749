"""The tools by which an agent of a network hands a conversation over to another."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from pydantic import Field

from agents.tools.arguments import arguments_of

PREFIX = "transfer_to_"
LONGEST_NAME = 64  # Characters of a tool's name that every provider takes.
LONGEST_REASON = 500

Reason = Annotated[
    str, Field(max_length=LONGEST_REASON, description="Why, in a few words. Everybody reads it.")
]


def _transfer(reason: Reason = "") -> str:
    return reason


ARGUMENTS = arguments_of(_transfer)


@dataclass(frozen=True, slots=True)
class Transfer:
    """`tool` is what the model calls it, `agent` the slug of who answers then."""

    tool: str
    agent: str
    name: str
    description: str

    @property
    def schema(self) -> dict[str, Any]:
        """In OpenAI's format."""
        does = f"Hand the conversation over to {self.name}, who answers from then on."
        function = {
            "name": self.tool,
            "description": f"{does} {self.description}".strip(),
            "parameters": dict(ARGUMENTS.schema),
        }
        return {"type": "function", "function": function}

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def tool_name(prefix: str, slug: str) -> str:
    """A name that providers take, whatever the slug holds."""
    return (prefix + re.sub(r"[^A-Za-z0-9_-]", "_", slug))[:LONGEST_NAME]


def transfers_in(agent: Mapping[str, Any]) -> tuple[Transfer, ...]:
    """Those of an agent's snapshot; old ones know none."""
    return tuple(Transfer(**each) for each in agent.get("transfers", ()))


def line(before: str, after: str, reason: str) -> str:
    """What the transcript says of a hand-over, to people and models alike."""
    why = " ".join(reason.split())
    return f"{before} handed over to {after}{f': {why}' if why else ''}"

"""A tool that reaches another agent: what a transfer and a delegation have in common."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

LONGEST_NAME = 64  # Characters of a tool's name that every provider takes.


@dataclass(frozen=True, slots=True)
class AgentTool:
    """`tool` is what the model calls it, `agent` the slug of who is reached."""

    tool: str
    agent: str
    name: str
    description: str

    def offered(self, does: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Its schema in OpenAI's format; `does` stands before what the agent says of itself."""
        function = {
            "name": self.tool,
            "description": f"{does} {self.description}".strip(),
            "parameters": dict(parameters),
        }
        return {"type": "function", "function": function}

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def tool_name(prefix: str, slug: str) -> str:
    """A name that providers take, whatever the slug holds."""
    return (prefix + re.sub(r"[^A-Za-z0-9_-]", "_", slug))[:LONGEST_NAME]

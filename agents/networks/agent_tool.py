"""A tool that reaches another agent: what a transfer and a delegation have in common."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

LONGEST_NAME = 64  # Characters of a tool's name that every provider takes.


@dataclass(frozen=True, slots=True)
class AgentTool:
    """`tool` is what the model calls it, `agent` the slug of the agent it reaches."""

    tool: str
    agent: str
    name: str
    description: str

    def offered(self, does: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return its schema in OpenAI's format; `does` precedes the agent's own description."""
        function = {
            "name": self.tool,
            "description": f"{does} {self.description}".strip(),
            "parameters": dict(parameters),
        }
        return {"type": "function", "function": function}

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def tool_name(prefix: str, slug: str) -> str:
    """Make a name that providers accept, whatever the slug contains."""
    return (prefix + re.sub(r"[^A-Za-z0-9_-]", "_", slug))[:LONGEST_NAME]

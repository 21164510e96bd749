"""What agents can do besides talking: the registry lists the tools."""

from agents.tools.registry import (
    TOOLS,
    UNASKED,
    Picture,
    ToolResult,
    call,
    needs_approval,
    refused,
    schemas,
    shortened,
    usable,
)
from agents.tools.tool import Audience, FoundMessage, Tool, ToolContext, ToolError, tool

__all__ = [
    "TOOLS",
    "UNASKED",
    "Audience",
    "FoundMessage",
    "Picture",
    "Tool",
    "ToolContext",
    "ToolError",
    "ToolResult",
    "call",
    "needs_approval",
    "refused",
    "schemas",
    "shortened",
    "tool",
    "usable",
]

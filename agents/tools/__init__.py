"""What agents can do besides talking: each tool is one file, listed in the registry."""

from agents.tools.registry import TOOLS, Tool, ToolResult, call, schemas

__all__ = ["TOOLS", "Tool", "ToolResult", "call", "schemas"]

"""A tool call, run in a thread under its timeout. A failure is a result that says so."""

import asyncio
from collections.abc import Sequence

from agents.tools import TOOLS, ToolResult, call


async def run_tool(name: str, arguments: str, allowed: Sequence[str]) -> ToolResult:
    """`arguments` is the text as the model wrote it; `allowed` are the agent's own tools."""
    if name not in allowed or name not in TOOLS:
        return ToolResult(f"Error: there is no tool named {name} here.", failed=True)
    timeout = TOOLS[name].timeout
    try:
        async with asyncio.timeout(timeout):
            return await asyncio.to_thread(call, name, arguments)
    except TimeoutError:
        return ToolResult(f"Error: {name} took longer than {timeout:g} seconds.", failed=True)

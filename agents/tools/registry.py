"""The tools by name, their schemas for a model, and the one function that calls them."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.tools.arguments import ArgumentsRefused
from agents.tools.calculator import CALCULATOR
from agents.tools.clock import CURRENT_TIME
from agents.tools.demonstrations import REPORT, SEND_NOTE, WAIT
from agents.tools.read_page import READ_PAGE
from agents.tools.recall import RECALL
from agents.tools.tool import Audience, Tool, ToolContext, ToolError

logger = logging.getLogger(__name__)

TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (CALCULATOR, CURRENT_TIME, READ_PAGE, RECALL, REPORT, SEND_NOTE, WAIT)
}
NOBODY = ToolContext()
UNASKED = "nobody was asked. It was not run."  # Ends a refusal in a delegated task.


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a tool's result; type and size are set when its bytes have been examined.

    `supplied` is the SHA-256 of the bytes that the tool returned.
    """

    data: bytes = field(repr=False)
    type: str = ""
    width: int = 0
    height: int = 0
    supplied: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a call, for the model; if `failed`, the text says what was wrong.

    `hands_to` is the slug of the agent that answers next; empty unless the call was a hand-over.
    `took_ms` is how long the tool ran, if it ran at all.
    """

    text: str
    failed: bool = False
    hands_to: str = ""
    took_ms: int | None = field(default=None, compare=False)
    pictures: tuple[Picture, ...] = ()


def schemas(names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the named tools in OpenAI's format. A name without a tool is an error."""
    if unknown := [name for name in names if name not in TOOLS]:
        raise ValueError(f"No such tool: {', '.join(unknown)}. Known: {', '.join(TOOLS)}.")
    return [TOOLS[name].schema for name in names]


def usable(names: Sequence[str], audience: Audience) -> list[str]:
    """Return the names of the tools that this audience may use.

    A name without a tool is kept, so that `schemas` raises an error for it.
    """
    return [name for name in names if name not in TOOLS or TOOLS[name].audience <= audience]


def needs_approval(name: str, arguments: str, context: ToolContext) -> bool:
    """Whether a person must approve this call.

    Nobody needs to approve a call that would be refused anyway.
    """
    tool = TOOLS.get(name)
    if tool is None or not tool.needs_approval or context.audience < tool.audience:
        return False
    try:
        tool.arguments.read(arguments)
    except ArgumentsRefused:
        return False
    return True


def refused(text: str) -> ToolResult:
    return ToolResult(f"Error: {text}", failed=True)


def call(
    name: str, arguments: str, context: ToolContext = NOBODY, tools: Mapping[str, Tool] = TOOLS
) -> ToolResult:
    """Run a tool on the JSON text a model wrote. Never raise: an error is a result too."""
    try:
        return ToolResult(_run(name, arguments, context, tools))
    except (ToolError, ArgumentsRefused) as error:
        return refused(str(error))
    except (Exception, SystemExit):  # Some libraries exit where they should raise.
        logger.exception("The tool %s failed", name)
        return refused(f"the tool {name} crashed.")


def _run(name: str, arguments: str, context: ToolContext, tools: Mapping[str, Tool]) -> str:
    if name not in tools:
        raise ToolError(f"unknown tool {name[:80]!r}; the tools are {', '.join(tools)}.")
    tool = tools[name]
    if context.audience < tool.audience:
        raise ToolError(f"{tool.name} is for {tool.audience.label} only. It was not run.")
    values = tool.arguments.read(arguments)
    if tool.needs_approval and not context.approved:
        raise ToolError(
            f"{tool.name} needs approval because it acts outside this chat, and {UNASKED}"
        )
    result = tool.run(values, context)
    if not isinstance(result, str):
        raise TypeError(f"{name} returned {type(result).__name__}, not text")
    return shortened(result, tool.result_limit)


def shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[Shortened: {limit:,} of {len(text):,} characters]"

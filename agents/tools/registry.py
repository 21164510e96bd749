"""The tools by name, their schemas for a model, and the one door through which they are called."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.tools.calculator import CALCULATOR
from agents.tools.clock import CURRENT_TIME
from agents.tools.tool import Tool, ToolError

__all__ = ["TOOLS", "Tool", "ToolResult", "call", "schemas"]

logger = logging.getLogger(__name__)

TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in (CALCULATOR, CURRENT_TIME)}
LONGEST_ARGUMENTS = 100_000  # Characters of JSON text.
TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What goes back to the model; where `failed`, the text says what was wrong."""

    text: str
    failed: bool = False


def schemas(names: Sequence[str]) -> list[dict[str, Any]]:
    """The named tools in OpenAI's format. A name without a tool is an error."""
    if unknown := [name for name in names if name not in TOOLS]:
        raise ValueError(f"No such tool: {', '.join(unknown)}. Known: {', '.join(TOOLS)}.")
    return [_schema(TOOLS[name]) for name in names]


def call(name: str, arguments: str, tools: Mapping[str, Tool] = TOOLS) -> ToolResult:
    """Run a tool on the JSON text a model wrote. Never raises: an error is a result too."""
    try:
        return ToolResult(_run(name, arguments, tools))
    except ToolError as error:
        return ToolResult(f"Error: {error}", failed=True)
    except Exception:
        logger.exception("The tool %s failed", name)
        return ToolResult(f"Error: the tool {name} failed for a reason of its own.", failed=True)


def _run(name: str, arguments: str, tools: Mapping[str, Tool]) -> str:
    if name not in tools:
        raise ToolError(f"there is no tool {name[:80]!r}; the tools are {', '.join(tools)}.")
    tool = tools[name]
    result = tool.run(_parse(arguments, tool))
    if not isinstance(result, str):
        raise TypeError(f"{name} returned {type(result).__name__}, not text")
    return _shortened(result, tool.result_limit)


def _parse(arguments: str, tool: Tool) -> dict[str, Any]:
    if len(arguments) > LONGEST_ARGUMENTS:
        raise ToolError(f"the arguments are longer than {LONGEST_ARGUMENTS:,} characters.")
    try:
        values = json.loads(arguments or "{}", parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ToolError(f"the arguments are not valid JSON ({_brief(error)}).") from error
    if not isinstance(values, dict):
        raise ToolError("the arguments must be a JSON object.")
    _check(values, tool.parameters)
    return values


def _check(values: Mapping[str, Any], parameters: Mapping[str, Any]) -> None:
    """The part of JSON schema that tools here use: types, required and unknown names."""
    properties = parameters.get("properties", {})
    if missing := [name for name in parameters.get("required", ()) if name not in values]:
        raise ToolError(f"the argument {missing[0]!r} is missing.")
    for name, value in values.items():
        if name not in properties:
            known = ", ".join(properties) or "none"
            raise ToolError(f"there is no argument {name[:80]!r}; the arguments are: {known}.")
        if not _fits(value, properties[name]["type"]):
            raise ToolError(f"the argument {name!r} must be of type {properties[name]['type']}.")


def _fits(value: object, kind: str) -> bool:
    if isinstance(value, bool):  # Which Python takes for an integer.
        return kind == "boolean"
    return isinstance(value, TYPES[kind])


def _shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[Shortened: {limit:,} of {len(text):,} characters]"


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _brief(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)[:120]


def _schema(tool: Tool) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {}, **tool.parameters}
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}

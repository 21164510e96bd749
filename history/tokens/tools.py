"""Count what tool definitions add to a request, by OpenAI's published figures."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from history.tokens.counting import count_text

PER_TOOL = 7
PER_PARAMETER = 3
PER_CHOICE = 3
TOOLS_END = 12


def count_tools(schemas: Sequence[Mapping[str, Any]]) -> int:
    """Count definitions in OpenAI's format; no definitions cost nothing."""
    if not schemas:
        return 0
    return TOOLS_END + sum(_count_tool(schema["function"]) for schema in schemas)


def _count_tool(function: Mapping[str, Any]) -> int:
    properties = function.get("parameters", {}).get("properties", {})
    tokens = PER_TOOL + count_text(f"{function['name']}:{function.get('description', '')}")
    if properties:
        tokens += PER_PARAMETER
    return tokens + sum(_count_parameter(name, spec) for name, spec in properties.items())


def _count_parameter(name: str, spec: Mapping[str, Any]) -> int:
    """Count a parameter. OpenAI has no figure for nested ones: their JSON text is counted as is."""
    line = f"{name}:{spec.get('type', '')}:{spec.get('description', '').rstrip('.')}"
    choices = spec.get("enum", ())
    nested = {key: spec[key] for key in ("items", "properties") if key in spec}
    line += json.dumps(nested) if nested else ""
    return (
        PER_PARAMETER
        + count_text(line)
        + sum(PER_CHOICE + count_text(str(choice)) for choice in choices)
        - (PER_CHOICE if choices else 0)
    )

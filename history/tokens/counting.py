"""Count texts, messages and tool definitions in o200k, or approximately if that fails.

No text makes these functions raise. Special tokens in a text count as ordinary text.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from history.core.transcript.messages import ToolCall
from history.tokens.approximate import TokenCount, approximate
from history.tokens.encodings import STORED_ENCODING, exact_count

LONGEST = 2**20  # In characters: nobody types more, and the encoder takes a second for this many.
# In characters: on longer runs of letters the encoder is slow, and on those of spaces it fails.
LONGEST_RUN = 2**16
RUN = re.compile(r"\w+|\s+|[^\w\s]+")

# The tokens of OpenAI's chat format: those around each message, and those that begin the answer.
PER_MESSAGE = 3
REPLY_PRIMING = 3
PER_CALL = 3

# The tokens that tool definitions add to a request, by the figures that OpenAI published.
PER_TOOL = 7
PER_PARAMETER = 3
PER_CHOICE = 3
TOOLS_END = 12


def measure(text: str, encoding: str = STORED_ENCODING) -> TokenCount:
    """Count the tokens of a bare text, and say which counter counted them."""
    tokens = None if _is_unusual(text) else exact_count(text, encoding)
    return approximate(text) if tokens is None else TokenCount(tokens, encoding)


def count_text(text: str, encoding: str = STORED_ENCODING) -> int:
    return measure(text, encoding).tokens


def count_message(role: str, text: str, tool_calls: Sequence[ToolCall] = ()) -> int:
    """Count a whole message: text, calls and framing."""
    calls = sum(count_tool_call(call.name, call.arguments) for call in tool_calls)
    return PER_MESSAGE + count_text(role) + count_text(text) + calls


def count_tool_call(name: str, arguments: str) -> int:
    """Count the tokens that a call adds to its message. `count_message` includes them."""
    return PER_CALL + count_text(name) + count_text(arguments)


def count_tools(schemas: Sequence[Mapping[str, Any]]) -> int:
    """Count definitions in OpenAI's format; no definitions cost nothing."""
    if not schemas:
        return 0
    return TOOLS_END + sum(_count_tool(schema["function"]) for schema in schemas)


def _is_unusual(text: str) -> bool:
    if len(text) <= LONGEST_RUN:
        return False
    return len(text) > LONGEST or any(
        run.end() - run.start() > LONGEST_RUN for run in RUN.finditer(text)
    )


def _count_tool(function: Mapping[str, Any]) -> int:
    properties = function.get("parameters", {}).get("properties", {})
    tokens = PER_TOOL + count_text(f"{function['name']}:{function.get('description', '')}")
    if properties:
        tokens += PER_PARAMETER
    return tokens + sum(_count_parameter(name, spec) for name, spec in properties.items())


def _count_parameter(name: str, spec: Mapping[str, Any]) -> int:
    """Count a parameter. OpenAI has no figure for nested ones, so their JSON text is counted."""
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

"""Counts tokens, exactly where the o200k and cl100k files are at hand; the only user of tiktoken.

Where no exact count can be had (the encoding cannot be loaded, the tokenizer gives up on the
text, the text is huge), a token is taken as four bytes of UTF-8 and the counter says so. Special
tokens in a text are text. Nothing here raises.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from history.core.messages import ToolCall

if TYPE_CHECKING:
    from tiktoken import Encoding

logger = logging.getLogger(__name__)

STORED_ENCODING = "o200k_base"  # Messages are counted once, in this one.
APPROXIMATE = "approximate"
BYTES_PER_TOKEN = 4
LONGEST = 2**20  # Characters; the slowest such text takes 0.9 s, and longer ones are estimated.

# OpenAI's chat format: what frames a message, the priming of the answer, and the tools.
PER_MESSAGE = 3
REPLY_PRIMING = 3
PER_CALL = 3
PER_TOOL = 7
PER_PARAMETER = 3
PER_CHOICE = 3
TOOLS_END = 12

SAME_TOKENS = {"o200k_harmony": "o200k_base"}  # They differ in special tokens alone.
EXACT = ("o200k_base", "cl100k_base")
MODEL_ENCODINGS = {"mirror": "o200k_base"}  # Models that tiktoken has no name for.


@dataclass(frozen=True, slots=True)
class TokenCount:
    """`counter` is the encoding that counted, or "approximate"."""

    tokens: int
    counter: str


def measure(text: str, encoding: str = STORED_ENCODING) -> TokenCount:
    """The tokens of a bare text, and which counter they come from."""
    loaded = _load(encoding) if len(text) <= LONGEST else None
    if loaded is not None:
        try:
            return TokenCount(len(loaded.encode(text, disallowed_special=())), encoding)
        except ValueError:  # 10^6 blanks overflow its regular expression's stack.
            logger.info("%s gave up on a text of %d characters", encoding, len(text))
    return TokenCount(_estimate(text), APPROXIMATE)


def count_text(text: str, encoding: str = STORED_ENCODING) -> int:
    return measure(text, encoding).tokens


def measure_message(role: str, text: str, tool_calls: Sequence[ToolCall] = ()) -> TokenCount:
    """A whole message: text, calls and framing. Approximate if any part of it is."""
    parts = [measure(role), measure(text)]
    parts += [part for call in tool_calls for part in _call_parts(call.name, call.arguments)]
    tokens = PER_MESSAGE + PER_CALL * len(tool_calls) + sum(part.tokens for part in parts)
    exact = all(part.counter == STORED_ENCODING for part in parts)
    return TokenCount(tokens, STORED_ENCODING if exact else APPROXIMATE)


def count_message(role: str, text: str, tool_calls: Sequence[ToolCall] = ()) -> int:
    return measure_message(role, text, tool_calls).tokens


def count_tool_call(name: str, arguments: str) -> int:
    """What one call adds to its message, so that `count_message` less this is the rest."""
    return PER_CALL + sum(part.tokens for part in _call_parts(name, arguments))


def count_tools(schemas: Sequence[Mapping[str, Any]]) -> int:
    """What tool definitions in OpenAI's format add to a request; none cost nothing."""
    if not schemas:
        return 0
    return TOOLS_END + sum(_count_tool(schema["function"]) for schema in schemas)


def encoding_for(model: str) -> str | None:
    """The exact encoding of a litellm model name such as `openai/gpt-4o`, if there is one here."""
    import tiktoken  # noqa: PLC0415 -- 0.1 s that start-up need not pay

    name = model.rpartition("/")[2]
    try:
        encoding = MODEL_ENCODINGS.get(name) or tiktoken.encoding_name_for_model(name)
    except KeyError:
        return None
    encoding = SAME_TOKENS.get(encoding, encoding)
    return encoding if encoding in EXACT else None


def counter_name(model: str) -> str:
    """For people: the counter of stored messages, and whether it is the model's own."""
    encoding = encoding_for(model)
    if encoding == STORED_ENCODING:
        return STORED_ENCODING
    return f"{STORED_ENCODING} (an estimate: the model counts in {encoding or 'its own way'})"


@cache
def _load(name: str) -> "Encoding | None":
    import tiktoken  # noqa: PLC0415 -- 0.1 s that start-up need not pay

    try:
        return tiktoken.get_encoding(name)
    except (ValueError, OSError) as error:  # An unknown name; no file and no network.
        logger.warning("No encoding %s, so tokens are estimated: %s", name, type(error).__name__)
        return None


def _estimate(text: str) -> int:
    return -(-len(text.encode(errors="surrogatepass")) // BYTES_PER_TOKEN)


def _call_parts(name: str, arguments: str) -> tuple[TokenCount, TokenCount]:
    return measure(name), measure(arguments)


def _count_tool(function: Mapping[str, Any]) -> int:
    properties = function.get("parameters", {}).get("properties", {})
    tokens = PER_TOOL + count_text(f"{function['name']}:{function.get('description', '')}")
    if properties:
        tokens += PER_PARAMETER
    return tokens + sum(_count_parameter(name, spec) for name, spec in properties.items())


def _count_parameter(name: str, spec: Mapping[str, Any]) -> int:
    """A nested object or list has no published figure: its JSON text is counted as it stands."""
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

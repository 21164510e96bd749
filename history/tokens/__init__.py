"""Count the tokens of texts, messages and tool definitions, and relate a model's count to ours.

Messages are counted once, when they are stored, in o200k. For models that count otherwise, these
figures are multiplied by a factor: at first by that of `start_of`, later by the one that
`history.services.settings.calibration` learns.
"""

from history.tokens.approximate import APPROXIMATE, TokenCount, approximate
from history.tokens.counting import (
    LONGEST,
    LONGEST_RUN,
    PER_CALL,
    PER_MESSAGE,
    REPLY_PRIMING,
    count_message,
    count_text,
    count_tool_call,
    count_tools,
    measure,
)
from history.tokens.encodings import STORED_ENCODING, encoding_for
from history.tokens.starts import StartFactor, start_of
from history.tokens.tokenizers import register_tokenizer, tokenizer_for

__all__ = [
    "APPROXIMATE",
    "LONGEST",
    "LONGEST_RUN",
    "PER_CALL",
    "PER_MESSAGE",
    "REPLY_PRIMING",
    "STORED_ENCODING",
    "StartFactor",
    "TokenCount",
    "approximate",
    "count_message",
    "count_text",
    "count_tool_call",
    "count_tools",
    "counter_name",
    "encoding_for",
    "measure",
    "register_tokenizer",
    "start_of",
    "tokenizer_for",
]


def counter_name(model: str) -> str:
    """Return the name of the counter of stored messages, and whether it is the model's own."""
    if own := tokenizer_for(model):
        return f"{STORED_ENCODING} (an estimate: {own.pattern} has a tokenizer of its own)"
    encoding = encoding_for(model)
    if encoding == STORED_ENCODING:
        return STORED_ENCODING
    return f"{STORED_ENCODING} (an estimate: the model counts in {encoding or 'its own way'})"

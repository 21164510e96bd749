"""Count texts and messages in o200k, approximately if an exact count is not possible.

Nothing here raises. Special tokens in a text count as text.
"""

import re
from collections.abc import Sequence

from history.core.messages import ToolCall
from history.tokens.approximate import APPROXIMATE, TokenCount, approximate
from history.tokens.encodings import STORED_ENCODING, exact_count

LONGEST = 2**20  # Characters. No person writes more, and the encoder needs a second for it.
LONGEST_RUN = 2**16  # The encoder slows down on a run without a break, and overflows on blanks.
RUN = re.compile(r"\w+|\s+|[^\w\s]+")

# OpenAI's chat format: the framing of a message, and the priming of the answer.
PER_MESSAGE = 3
REPLY_PRIMING = 3
PER_CALL = 3


def measure(text: str, encoding: str = STORED_ENCODING) -> TokenCount:
    """Count a bare text's tokens, and say which counter did."""
    tokens = None if _is_unusual(text) else exact_count(text, encoding)
    return approximate(text) if tokens is None else TokenCount(tokens, encoding)


def count_text(text: str, encoding: str = STORED_ENCODING) -> int:
    return measure(text, encoding).tokens


def measure_message(role: str, text: str, tool_calls: Sequence[ToolCall] = ()) -> TokenCount:
    """Count a whole message: text, calls and framing. Approximate if any part of it is."""
    parts = [measure(role), measure(text)]
    parts += [part for call in tool_calls for part in _call_parts(call.name, call.arguments)]
    tokens = PER_MESSAGE + PER_CALL * len(tool_calls) + sum(part.tokens for part in parts)
    exact = all(part.counter == STORED_ENCODING for part in parts)
    return TokenCount(tokens, STORED_ENCODING if exact else APPROXIMATE)


def count_message(role: str, text: str, tool_calls: Sequence[ToolCall] = ()) -> int:
    return measure_message(role, text, tool_calls).tokens


def count_tool_call(name: str, arguments: str) -> int:
    """Count what one call adds to its message; `count_message` less this is the rest."""
    return PER_CALL + sum(part.tokens for part in _call_parts(name, arguments))


def _is_unusual(text: str) -> bool:
    if len(text) <= LONGEST_RUN:
        return False
    return len(text) > LONGEST or any(
        run.end() - run.start() > LONGEST_RUN for run in RUN.finditer(text)
    )


def _call_parts(name: str, arguments: str) -> tuple[TokenCount, TokenCount]:
    return measure(name), measure(arguments)

"""The exact counters, o200k and cl100k. Only this module uses tiktoken.

litellm's wheel includes their files, so no network is needed.
"""

import logging
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

logger = logging.getLogger(__name__)

STORED_ENCODING = "o200k_base"  # Messages are counted once, in this encoding.
EXACT = (STORED_ENCODING, "cl100k_base")
# Encodings that differ in special tokens alone.
SAME_TOKENS = {"o200k_harmony": STORED_ENCODING}
MODEL_ENCODINGS = {"mirror": STORED_ENCODING}  # Models that tiktoken has no name for.


def exact_count(text: str, encoding: str) -> int | None:
    """Count exactly; None if the encoding is unavailable or fails. Special tokens count as text."""
    loaded = _load(encoding)
    if loaded is None:
        return None
    try:
        return len(loaded.encode(text, disallowed_special=()))
    except ValueError:  # Its regular expression has a stack, which a text may overflow.
        logger.info("%s gave up on a text of %d characters", encoding, len(text))
        return None


def encoding_for(model: str) -> str | None:
    """Return the exact encoding of a litellm model name such as `openai/gpt-4o`, if available."""
    import tiktoken  # noqa: PLC0415 -- 0.1 s that start-up need not pay

    name = model.rpartition("/")[2]
    try:
        encoding = MODEL_ENCODINGS.get(name) or tiktoken.encoding_name_for_model(name)
    except KeyError:
        return None
    encoding = SAME_TOKENS.get(encoding, encoding)
    return encoding if encoding in EXACT else None


@cache
def _load(name: str) -> "Encoding | None":
    import tiktoken  # noqa: PLC0415 -- 0.1 s that start-up need not pay

    try:
        encoding = tiktoken.get_encoding(name)
        encoding._mergeable_ranks.clear()  # Frees 27 MB: tiktoken's engine has its own copy.
        return encoding
    except (ValueError, OSError) as error:  # An unknown name, or no file and no network.
        logger.warning("No encoding %s, so tokens are estimated: %s", name, type(error).__name__)
        return None

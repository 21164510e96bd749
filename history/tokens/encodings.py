"""The exact counters, o200k and cl100k. Only this module uses tiktoken.

litellm's package contains their files, so no network is needed.
"""

import logging
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

logger = logging.getLogger(__name__)

# Each message is counted once, with this encoding, when it is stored.
STORED_ENCODING = "o200k_base"
EXACT = (STORED_ENCODING, "cl100k_base")
# Encodings that differ from others only in special tokens.
SAME_TOKENS = {"o200k_harmony": STORED_ENCODING}
# Encodings of models that tiktoken does not know by name.
MODEL_ENCODINGS = {"mirror": STORED_ENCODING}


def exact_count(text: str, encoding: str) -> int | None:
    """Count exactly; None if the encoding is missing or fails. Special tokens count as text."""
    loaded = _load(encoding)
    if loaded is None:
        return None
    try:
        return len(loaded.encode(text, disallowed_special=()))
    except ValueError:  # The encoder's regular expression has a stack, which a text may overflow.
        logger.info("%s gave up on a text of %d characters", encoding, len(text))
        return None


def encoding_for(model: str) -> str | None:
    """Return the exact encoding of a litellm model name such as `openai/gpt-4o`, if available."""
    import tiktoken  # noqa: PLC0415 -- the start should not wait 0.1 s

    name = model.rpartition("/")[2]
    try:
        encoding = MODEL_ENCODINGS.get(name) or tiktoken.encoding_name_for_model(name)
    except KeyError:
        return None
    encoding = SAME_TOKENS.get(encoding, encoding)
    return encoding if encoding in EXACT else None


@cache
def _load(name: str) -> "Encoding | None":
    import tiktoken  # noqa: PLC0415 -- the start should not wait 0.1 s

    try:
        encoding = tiktoken.get_encoding(name)
        # Clearing the ranks frees 27 MB, since tiktoken's engine has a copy of them.
        encoding._mergeable_ranks.clear()
        return encoding
    # The name is unknown, or there is neither a file nor a network.
    except (ValueError, OSError) as error:
        logger.warning("No encoding %s, so tokens are estimated: %s", name, type(error).__name__)
        return None

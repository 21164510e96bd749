"""Marks that tell a provider how far to cache a request, for those that cache nothing else.

litellm puts them where its `cache_control_injection_points` say; the provider allows four.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

CLAUDE_AT = frozenset({"anthropic", "azure_ai", "bedrock", "databricks", "openrouter", "vertex_ai"})
WITHOUT_CACHE = re.compile(r"claude-(v\d|instant|2|3-(opus|sonnet|haiku))")


def wants_marks(model: str) -> bool:
    """Claude, wherever litellm passes marks on to it. Every other model caches by itself."""
    provider, _, name = model.rpartition("/")
    if WITHOUT_CACHE.search(name):
        return False
    return "claude" in name and (not provider or provider.partition("/")[0] in CLAUDE_AT)


def marks_for(
    *, provider_wants: bool, slides: bool, messages: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """One on the system prompt, and one that rides the end of the request.

    Not where the window slides with every turn: its end would be written, at a surcharge, and never
    be read again.
    """
    if not provider_wants or not messages:
        return []
    head = [0] if messages[0]["role"] == "system" else []
    tail = [] if slides or len(messages) == len(head) else [-1]
    return [{"location": "message", "index": index} for index in (*head, *tail)]

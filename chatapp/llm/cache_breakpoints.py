"""Marks that tell a provider how far to cache a request, for those that cache nothing else.

litellm puts them where its `cache_control_injection_points` say; the provider allows four.
"""

from collections.abc import Mapping, Sequence
from typing import Any


def marks_for(
    *,
    provider_wants: bool,
    slides: bool,
    messages: Sequence[Mapping[str, Any]],
    lasting: int | None = None,
    has_tools: bool = False,
) -> list[dict[str, Any]]:
    """One on the system prompt, and one that rides the end of the request.

    Not where the window slides with every turn: its end would be written, at a surcharge, and never
    be read again. Where a text is made anew for each turn, the next turn can read what stands
    before it: so many messages are `lasting`, and the mark rides the last of them. The end is then
    worth a mark of its own only if a tool's round may read it.
    """
    if not provider_wants or not messages:
        return []
    head = [0] if messages[0]["role"] == "system" else []
    tail = []
    if lasting and lasting > len(head):
        tail.append(lasting - 1)
    if (lasting is None or has_tools) and len(messages) > len(head):
        tail.append(-1)
    marked = head if slides else [*head, *tail]
    return [{"location": "message", "index": index} for index in marked]

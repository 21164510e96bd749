"""Check that each text that is sent may stand for its message. No code is shared with the
planner.
"""

import json
from contextlib import suppress

from history.core.transcript.messages import Message, Role

PLACEHOLDER, MARKER = "[Omitted]", "[... "


def may_stand_for(message: Message, original: Message) -> bool:
    """Whether the sent message may replace this one. If calls share an id, the first counts."""
    first = {(call.id, call.name): call.arguments for call in reversed(original.tool_calls)}
    calls = all(_is_made_of(c.arguments, first.get((c.id, c.name))) for c in message.tool_calls)
    is_placeholder = message.role is Role.TOOL and message.text == PLACEHOLDER
    return calls and (is_placeholder or is_cut_from(message.text, original.text))


def _is_made_of(arguments: str, whole: str | None) -> bool:
    """Whether arguments are unchanged, quoted because they were no object, or clamped."""
    if whole is None or arguments == whole:
        return whole is not None
    values = object_in(arguments)
    quoted = {"quoted": whole} if whole.strip() else {}
    return values is not None and ("clamped" in values or values == quoted)


def object_in(arguments: str) -> dict[str, object] | None:
    with suppress(ValueError):
        if isinstance(value := json.loads(arguments), dict):
            return value
    return None


def is_cut_from(text: str, whole: str) -> bool:
    """Whether the text is the whole one, or its head and its tail with a marker between them."""
    is_cut = MARKER in text and whole.startswith(text[: text.index(MARKER)].rstrip("\n"))
    return text == whole or is_cut

"""Check that each text that is sent may stand for its message. No code is shared with the
planner.
"""

import json
from contextlib import suppress

from history.core.transcript.messages import Message, Role

PLACEHOLDER, MARKER = "[Omitted]", "[... "


def may_stand_for(sent: Message, original: Message) -> bool:
    """Whether the sent message may replace this one. If calls share an id, the first counts."""
    first = {(call.id, call.name): call.arguments for call in reversed(original.tool_calls)}
    calls = all(_is_made_of(c.arguments, first.get((c.id, c.name))) for c in sent.tool_calls)
    is_placeholder = sent.role is Role.TOOL and sent.text == PLACEHOLDER
    return calls and (is_placeholder or is_cut_from(sent.text, original.text))


def _is_made_of(arguments: str, whole: str | None) -> bool:
    """Whether arguments are unchanged, quoted because they were no object, or clamped."""
    if whole is None or arguments == whole:
        return whole is not None
    sent = object_in(arguments)
    quoted = {"quoted": whole} if whole.strip() else {}
    return sent is not None and ("clamped" in sent or sent == quoted)


def object_in(arguments: str) -> dict[str, object] | None:
    with suppress(ValueError):
        if isinstance(value := json.loads(arguments), dict):
            return value
    return None


def is_cut_from(text: str, whole: str) -> bool:
    """Whether the text is the whole one, or its head and its tail with a marker between them."""
    is_cut = MARKER in text and whole.startswith(text[: text.index(MARKER)].rstrip("\n"))
    return text == whole or is_cut

"""Put Claude's reasoning back among the texts of its message."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from history.core.transcript.parts import Reasoning, ReasoningForm


def with_blocks(message: Mapping[str, Any], own: Sequence[Reasoning]) -> dict[str, Any]:
    """Return Claude's blocks, exactly as it signed them and in their places: litellm puts them
    first, unless they are part of the content.

    Here and below, fields may come from an imported file: they must not decide what a message is.
    """
    text = message.get("content")
    if isinstance(text, str) and _has_order(message, text, own):
        return {**message, "content": list(_in_order(text, own))}
    return {**message, "thinking_blocks": [_block(thought) for thought in own]}


def _has_order(message: Mapping[str, Any], text: str, own: Sequence[Reasoning]) -> bool:
    """Return whether some thinking comes after text, and can be sent in its place.

    litellm drops sealed thinking from content, and a message must not end with thinking.
    """
    is_sealed = any(thought.form == ReasoningForm.REDACTED for thought in own)
    ends_with_text = own[-1].at < len(text.rstrip()) or message.get("tool_calls")
    return any(thought.at for thought in own) and not is_sealed and bool(ends_with_text)


def _in_order(text: str, own: Sequence[Reasoning]) -> Iterator[dict[str, Any]]:
    """Yield thinking and text as they came; Claude refuses a text that is blank."""
    place = 0
    for thought in own:
        piece, place = text[place : thought.at], max(place, thought.at)
        if piece.strip():
            yield {"type": "text", "text": piece}
        yield _block(thought)
    if text[place:].strip():
        yield {"type": "text", "text": text[place:]}


def _block(thought: Reasoning) -> dict[str, Any]:
    if thought.form == ReasoningForm.REDACTED:
        return {**thought.fields, "type": "redacted_thinking"}
    return {**thought.fields, "type": "thinking", "thinking": thought.text}

"""Put the reasoning of OpenAI's Responses API back in its place, as items of their own.

litellm puts all reasoning of a message before its text. A message whose model thought after a text
is therefore given to litellm in several parts, which become the items that the model had written.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chatapp.llm.reasoning.deltas import ITEM, ITEMS
from history.core.transcript.parts import Reasoning


def with_items(message: Mapping[str, Any], own: Sequence[Reasoning]) -> dict[str, Any]:
    """Add the reasoning to a message, each item with its place in the text."""
    return {**message, ITEMS: [(thought.at, _item(thought)) for thought in own]}


def parted(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the parts of a message: its texts, reasoning and calls in the order in which they came.

    Only a message with reasoning has several. A thought that nothing follows any more, because the
    text was shortened, is left out: OpenAI refuses it.
    """
    placed = message.pop(ITEMS, None)
    text = message.get("content") or ""
    if not placed or not isinstance(text, str):
        yield message
        return
    start, thoughts = 0, list[Any]()
    for at, item in placed:
        if text[start:at]:
            yield {"role": message["role"], "content": text[start:at], ITEMS: thoughts}
            start, thoughts = at, []
        thoughts.append(item)
    if text[start:] or message.get("tool_calls"):
        yield {**message, "content": text[start:] or None, ITEMS: thoughts}


def _item(thought: Reasoning) -> dict[str, Any]:
    fields = {name: thought.fields[name] for name in ITEM if name in thought.fields}
    return {"type": "reasoning", "summary": [], **fields}

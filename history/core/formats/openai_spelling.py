"""Convert neutral messages of an imported request back to OpenAI's chat format."""

from collections.abc import Mapping
from typing import Any

from history.core.plan.neutral_request import MEDIA


def spelled(message: Mapping[str, Any], parts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the message in OpenAI's format, with images and files word for word from `parts`, and
    with reasoning and each call's own fields where they were.
    """
    spelling = {name: value for name, value in message.items() if name != "reasoning"}
    if isinstance(content := message["content"], list):
        spelling["content"] = [parts.get(_digest(part), part) for part in content]
    if calls := message.get("tool_calls"):
        spelling["tool_calls"] = [_call(call) for call in calls]
    if thoughts := message.get("reasoning"):
        spelling["reasoning_content"] = "".join(part.get("text", "") for part in thoughts)
    return spelling


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    own = {name: value for name, value in call.items() if name != "fields"}
    return {**own, **call.get("fields", {})}


def _digest(part: Mapping[str, Any]) -> str:
    inside = part.get("image_url") or part.get("file") or {}
    return str(inside.get("url") or inside.get("file_id") or "").removeprefix(MEDIA)

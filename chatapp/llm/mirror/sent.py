"""The messages that the offline model is sent. Pure."""

from collections.abc import Mapping
from typing import Any, TypeAlias

Sent: TypeAlias = Mapping[str, Any]  # A message in OpenAI's format.


def text_of(message: Sent) -> str:
    """Its text, be it a string, a list of parts, or none."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or ())

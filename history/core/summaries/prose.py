"""Check that a summary is prose, and unwrap prose that a model put into JSON."""

import re
from typing import Any

from history.core.words.json_text import read_json

FENCE = re.compile(r"```(?:json|text|markdown|md)?\s((?:(?!```).)*)```", re.DOTALL | re.IGNORECASE)
NAMES = frozenset({"summary", "text", "content", "answer", "response", "result", "output"})
LAYERS = 5  # The most layers that are removed from a text.
PROTOCOL = r"</?(think|thinking|reasoning|tool_call|function_call|invoke)\b"
CALL = r'"(tool_calls|function|arguments|name)"\s*:'


def prose(answer: str) -> str:
    """Unwrap an answer from a code fence, a JSON text or list, or an object with one value.

    Any other answer is returned as it is.
    """
    text = answer.strip()
    for _ in range(LAYERS):
        if (inner := _unwrapped(text)) is None:
            return text
        text = inner.strip()
    return answer.strip()


def fault(summary: str, tokens: int, source_tokens: int) -> dict[str, Any]:
    """Say why a text may not serve as a summary; empty if it may."""
    text = summary.strip()
    if not text:
        return {"why": "empty"}
    if re.search(PROTOCOL, text):
        return {"why": "protocol"}
    if _begins_as_json(text) and re.search(CALL, text):
        return {"why": "call"}
    if isinstance(_value(text), dict | list):
        return {"why": "json"}
    if tokens >= source_tokens:
        return {"why": "too_long", "tokens": tokens, "source": source_tokens}
    return {}


def _begins_as_json(text: str) -> bool:
    return text.startswith(("{", "["))


def _unwrapped(text: str) -> str | None:
    """Remove a code fence, or a layer of JSON; None if there is neither."""
    fenced = FENCE.fullmatch(text)
    return fenced[1] if fenced else _said(_value(text), LAYERS)


def _said(value: object, layers: int) -> str | None:
    match value:
        case str():
            return value
        case list():
            return _points(value)
        case dict() if layers and len(value) == 1:
            ((name, inner),) = value.items()
            return _said(inner, layers - 1) if name.lower() in NAMES else None
    return None


def _points(items: list[object]) -> str | None:
    """Write a list of texts as bullet points."""
    texts = [item.strip() for item in items if isinstance(item, str)]
    is_text = bool(items) and len(texts) == len(items)
    return "\n".join(f"- {text}" for text in texts if text) if is_text else None


def _value(text: str) -> object:
    """Parse a text as JSON; return None if it is not JSON."""
    if not _begins_as_json(text) and not text.startswith('"'):
        return None
    try:
        return read_json(text)
    except ValueError:
        return None

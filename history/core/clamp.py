"""A message that is too large keeps its head and its tail, and says what is left out between."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from history.core.messages import Message, ToolCall
from history.core.wording import number

Count: TypeAlias = Callable[[str], int]

FRAME = 4  # Tokens of a message's role and borders, and one less of a call's.
HEAD = 2 / 3  # Of what is kept: the beginning of a text says more than its end.


def clamp(message: Message, limit: int, count: Count) -> Message:
    """At most about `limit` tokens: its text, or the arguments of its calls as valid JSON.

    What was counted when it was stored is not counted again.
    """
    if message.tokens <= limit:
        return message
    calls = sum(call.tokens for call in message.tool_calls)
    if calls > limit // 2:
        return _with_short_calls(message, limit, count)
    return _with_short_text(message, limit - calls, count)


def clamped_text(text: str, limit: int, count: Count) -> str:
    """Head, marker and tail within `limit` tokens; the marker alone where nothing else fits."""
    kept = min(len(text), 8 * max(0, limit))
    while True:
        head = int(kept * HEAD)
        tail = kept - head
        left_out = number(len(text) - kept)
        marker = f"\n[... {left_out} characters left out ...]\n"
        short = text[:head] + marker + (text[-tail:] if tail else "")
        if kept == 0 or count(short) <= limit:
            return short
        kept = kept * 4 // 5


def _with_short_text(message: Message, limit: int, count: Count) -> Message:
    calls = sum(call.tokens for call in message.tool_calls)
    text = clamped_text(message.text, limit - FRAME, count)
    tokens = FRAME + calls + count(text)
    if tokens >= message.tokens:
        return message
    return replace(message, text=text, tokens=tokens)


def _with_short_calls(message: Message, limit: int, count: Count) -> Message:
    each = max(1, limit // (2 * len(message.tool_calls)))
    calls = tuple(_short_call(call, each, count) for call in message.tool_calls)
    saved = sum(c.tokens for c in message.tool_calls) - sum(call.tokens for call in calls)
    short = replace(message, tool_calls=calls, tokens=message.tokens - saved)
    if short.tokens <= limit or not short.has_text:
        return short
    return _with_short_text(short, limit - sum(call.tokens for call in calls), count)


def _short_call(call: ToolCall, limit: int, count: Count) -> ToolCall:
    if call.tokens <= limit:
        return call
    arguments = json.dumps({"clamped": clamped_text(call.arguments, limit, count)})
    tokens = FRAME - 1 + count(call.name) + count(arguments)
    return call if tokens >= call.tokens else replace(call, arguments=arguments, tokens=tokens)

"""Shorten a message that is too large: keep its head and tail, and say how much was left out."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from history.core.graphemes import end_before, start_after
from history.core.json_text import clamped_object
from history.core.messages import Message, ToolCall
from history.core.wording import number

Count: TypeAlias = Callable[[str], int]

FRAME = 4  # Tokens of a message's role and framing, and one less for those of a call.
HEAD = 2 / 3  # The share for the head: the beginning of a text says more than its end.
CHARACTERS = 8  # Tokens are seldom longer: a first guess for how many characters fit.
CLOSE = 0.02  # Stop searching this close to the limit,
TRIES = 12  # and after this many tries.


def approximate(text: str) -> int:
    """Estimate tokens without a tokenizer: three bytes a token, which errs on the safe side."""
    return -(-len(text.encode(errors="surrogatepass")) // 3)


def clamp(message: Message, limit: int, count: Count) -> Message:
    """Shorten a message to about `limit` tokens: its text, or its calls' arguments as valid JSON.

    Tokens counted when the message was stored are not counted again.
    """
    if message.tokens <= limit:
        return message
    calls = sum(call.tokens for call in message.tool_calls)
    if calls > limit // 2:
        return _with_short_calls(message, limit, count)
    return _with_short_text(message, limit - calls, count)


def clamped_text(text: str, limit: int, count: Count) -> str:
    """Return head, marker and tail within `limit` tokens; the marker alone if nothing else fits."""
    best, fits, too_long = _shortened(text, 0), 0, len(text) + 1
    kept = min(len(text), CHARACTERS * max(0, limit))
    for _ in range(TRIES):
        short = _shortened(text, kept)
        tokens = count(short)
        if tokens > limit:
            too_long = kept
        elif kept > fits:
            best, fits = short, kept
        if too_long - fits < 2 or limit - CLOSE * limit <= tokens <= limit:
            break
        kept = _next(kept, limit / max(1, tokens), fits, too_long)
    return best


def _next(kept: int, ratio: float, fits: int, too_long: int) -> int:
    """Guess the next size in proportion to the last result; halve the range if that goes astray."""
    guess = int(kept * ratio * (1 - CLOSE / 2))
    return guess if fits < guess < too_long else (fits + too_long) // 2


def _shortened(text: str, kept: int) -> str:
    """Keep this many characters of the text and put the marker between them."""
    head = int(kept * HEAD)
    start = start_after(text, len(text) - kept + head)
    head = end_before(text, head)
    return f"{text[:head]}\n[... {number(start - head)} characters left out ...]\n{text[start:]}"


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
    arguments = clamped_object(clamped_text(call.arguments, limit, count))
    tokens = FRAME - 1 + count(call.name) + count(arguments)
    return call if tokens >= call.tokens else replace(call, arguments=arguments, tokens=tokens)

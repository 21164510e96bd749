"""Shorten a message that is too large: keep its head and its tail, and say how much was left out.

Files are shortened like texts. An image is sent whole or as a placeholder. Reasoning is never
shortened, because its provider accepts it back only unchanged.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from history.core.transcript.messages import Message, ToolCall
from history.core.transcript.parts import File, Image, Omitted, Part, Reasoning
from history.core.words.graphemes import end_before, start_after
from history.core.words.json_text import clamped_object
from history.core.words.wording import number

Count: TypeAlias = Callable[[str], int]

FRAME = 4  # Tokens of a message's role and framing; a call's framing costs one fewer.
HEAD = 2 / 3  # The head's share of the text that is kept, because beginnings say more.
CHARACTERS = 8  # The first guess of how many characters a token has, which few tokens exceed.
CLOSE = 0.02  # The search ends when a size is this close to the limit, as a fraction of the limit.
TRIES = 12  # The most sizes that a search tries.
WORDS = 1 / 4  # The share of the limit that images must leave to texts.


def approximate(text: str) -> int:
    """Estimate tokens without a tokenizer: one for every three bytes, which is rarely too few."""
    return -(-len(text.encode(errors="surrogatepass")) // 3)


def clamp(message: Message, limit: int, count: Count) -> Message:
    """Shorten a message to about `limit` tokens: its text, or its calls' arguments, as valid JSON.

    Tokens that were counted when the message was stored are not counted again.
    """
    if message.tokens <= limit:
        return message
    calls = sum(call.tokens for call in message.tool_calls)
    if calls > limit // 2:
        return _with_short_calls(message, limit, count)
    return _with_short_text(message, limit, count)


def common_limit(sizes: Sequence[int], budget: int) -> int:
    """Return the size limit for large messages with which all messages fit the `budget`."""
    left = budget
    # Smallest first: what a small message leaves of its equal share goes to larger ones.
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return max(0, share)
        left -= size
    return max(0, left)


def omitted(part: Image | File, count: Count) -> Omitted:
    """Return the placeholder for an image or a file that is left out."""
    bare = Omitted(part.kind, part.label, at=part.at, whole=part.tokens)
    return replace(bare, tokens=count(bare.text))


def with_parts(message: Message, now: tuple[Part, ...]) -> Message:
    """Return the message with these parts. The tokens of old and new parts must be known."""
    if now == message.parts:
        return message
    more = sum(part.tokens for part in now) - sum(part.tokens for part in message.parts)
    return replace(message, parts=now, tokens=max(0, message.tokens + more))


def clamped_text(text: str, limit: int, count: Count) -> str:
    """Return head, marker and tail within `limit` tokens; only the marker if nothing else fits."""
    best, fits, too_long = _shortened(text, 0), 0, len(text) + 1
    size = min(len(text), CHARACTERS * max(0, limit))
    for _ in range(TRIES):
        short = _shortened(text, size)
        tokens = count(short)
        if tokens > limit:
            too_long = size
        elif size > fits:
            best, fits = short, size
        if too_long - fits < 2 or limit - CLOSE * limit <= tokens <= limit:
            break
        size = _next(size, limit / max(1, tokens), fits, too_long)
    return best


def _next(size: int, ratio: float, fits: int, too_long: int) -> int:
    """Guess the next size in proportion to the last result; if out of range, take the middle."""
    guess = int(size * ratio * (1 - CLOSE / 2))
    return guess if fits < guess < too_long else (fits + too_long) // 2


def _shortened(text: str, size: int) -> str:
    """Keep `size` characters in total, at both ends of the text, with the marker between."""
    head = int(size * HEAD)
    start = start_after(text, len(text) - size + head)
    head = end_before(text, head)
    return f"{text[:head]}\n[... {number(start - head)} characters left out ...]\n{text[start:]}"


def _with_short_text(message: Message, limit: int, count: Count) -> Message:
    short = _with_short_parts(message, limit, count) if message.parts else message
    if short.tokens <= limit or (message.parts and not short.has_text):
        return short
    beside = sum(call.tokens for call in short.tool_calls) + sum(p.tokens for p in short.parts)
    text = clamped_text(short.text, limit - beside - FRAME, count)
    tokens = FRAME + beside + count(text)
    if tokens >= short.tokens:
        return short
    return replace(short, text=text, tokens=tokens, parts=tuple(map(_ahead, short.parts)))


def _ahead(part: Part) -> Part:
    """Move a part to the start of a shortened text, because its place may no longer exist."""
    return part if isinstance(part, Reasoning) or not part.at else replace(part, at=0)


def _with_short_parts(message: Message, limit: int, count: Count) -> Message:
    """Omit the first images until the others leave room for texts; then shorten the files."""
    now, room = message, limit - int(limit * WORDS)
    for place, part in enumerate(message.parts):
        if isinstance(part, Image) and _images(now) > room:
            parts = (*now.parts[:place], omitted(part, count), *now.parts[place + 1 :])
            now = with_parts(now, parts)
    if now.tokens <= limit:
        return now
    files = sum(part.tokens for part in now.parts if isinstance(part, File))
    text = count(now.text) if files else 0
    left = max(0, limit - (now.tokens - files - text))
    return with_parts(
        now, tuple(_short_part(part, left / max(1, files + text), count) for part in now.parts)
    )


def _images(message: Message) -> int:
    return sum(part.tokens for part in message.parts if isinstance(part, Image))


def _short_part(part: Part, share: float, count: Count) -> Part:
    """Shorten a file's text to the fraction `share` of its tokens; return other parts unchanged."""
    if not isinstance(part, File) or not part.text:
        return part
    frame = count(replace(part, text="").quoted)
    short = replace(part, text=clamped_text(part.text, int(part.tokens * share) - frame, count))
    tokens = count(short.quoted)
    return part if tokens >= part.tokens else replace(short, tokens=tokens)


def _with_short_calls(message: Message, limit: int, count: Count) -> Message:
    each = max(1, limit // (2 * len(message.tool_calls)))
    calls = tuple(_short_call(call, each, count) for call in message.tool_calls)
    saved = sum(c.tokens for c in message.tool_calls) - sum(call.tokens for call in calls)
    short = replace(message, tool_calls=calls, tokens=message.tokens - saved)
    if short.tokens <= limit or not short.has_text:
        return short
    return _with_short_text(short, limit, count)


def _short_call(call: ToolCall, limit: int, count: Count) -> ToolCall:
    if call.tokens <= limit:
        return call
    arguments = clamped_object(clamped_text(call.arguments, limit, count))
    tokens = FRAME - 1 + count(call.name) + count(arguments)
    return call if tokens >= call.tokens else replace(call, arguments=arguments, tokens=tokens)

"""Decide which reasoning is sent again, by turn numbers alone.

That of the current turn always is: providers need it while tools run. Of the earlier turns, those
of the newest `reasoning_keep` are. It has no verdict of its own: its message is sent without it.
"""

from dataclasses import replace

from history.core.messages import Message
from history.core.parts import Reasoning, reasoning_in
from history.core.segments import Segment, Segments


def first_turn(keep: int, last_turn: int) -> int:
    """Return the first turn whose reasoning is sent; before any user message none is current."""
    return last_turn - keep if last_turn or keep else 1


def with_reasoning(parts: Segments, first: int, family: str | None = None) -> Segments:
    """Add the tokens of the reasoning that is sent to its messages, and take the rest off.

    A message that lost calls is sent without: its reasoning belongs to all of them. So is one of
    another `family`, if one is given: nobody takes back what another thought.
    """
    return tuple([_judged(part, first, family) if _thinks(part) else part for part in parts])


def without_reasoning(message: Message) -> Message:
    """Return a message, of which the reasoning was counted, without it."""
    thoughts = reasoning_tokens(message)
    return _taken_off(replace(message, tokens=max(0, message.tokens - thoughts)))


def without_odd_reasoning(part: Segment) -> Segment:
    """Take counted reasoning off a segment that lost calls: it belongs to all of them."""
    if not (part.repairs and part.messages):
        return part
    head, *results = part.messages
    return replace(part, messages=(without_reasoning(head), *results))


def reasoning_tokens(message: Message) -> int:
    return sum(part.tokens for part in reasoning_in(message.parts))


def _thinks(part: Segment) -> bool:
    """Whether there is reasoning, which only the message at its head can have."""
    return bool(part.messages and part.messages[0].parts and reasoning_in(part.messages[0].parts))


def _judged(part: Segment, first: int, family: str | None) -> Segment:
    head, *results = part.messages
    is_own = family is None or all(p.family == family for p in reasoning_in(head.parts))
    is_sent = is_own and part.turn >= first and not part.repairs
    now = _counted(head) if is_sent else _taken_off(head)
    return replace(part, messages=(now, *results))


def _counted(message: Message) -> Message:
    return replace(message, tokens=message.tokens + reasoning_tokens(message))


def _taken_off(message: Message) -> Message:
    left = tuple(part for part in message.parts if not isinstance(part, Reasoning))
    return message if left == message.parts else replace(message, parts=left)

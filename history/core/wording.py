"""Write numbers and names in sentences, the same way everywhere.

Positions count from 0, in code and data. Readers of sentences count messages from 1.
"""

from collections.abc import Iterable

LONGEST_NAME = 40


def turns(first: int, last: int) -> str:
    """`turn 9`, or `turns 5` to `9` with a dash."""
    if first == last:
        return f"turn {number(last)}"
    return f"turns {number(first)}\N{EN DASH}{number(last)}"


def number(value: int) -> str:
    return f"{value:,}"


def place(position: int) -> str:
    """Return a message's number for people."""
    return number(position + 1)


def messages(first: int, last: int) -> str:
    """`message 9`, or `messages 5 to 9`, of positions."""
    return f"{'message' if first == last else 'messages'} {places([range(first, last + 1)])}"


def places(ranges: Iterable[range]) -> str:
    """Write messages at these positions in order, joining neighbours: `1, 3 to 9 and 12`."""
    merged: list[range] = []
    for each in ranges:
        joins = merged and merged[-1].stop == each.start
        merged.append(range(merged.pop().start, each.stop) if joins else each)
    *others, last = (_named(each) for each in merged)
    return f"{', '.join(others)} and {last}" if others else last


def _named(each: range) -> str:
    return place(each[0]) if len(each) == 1 else f"{place(each[0])} to {place(each[-1])}"


def plural(count: int, one: str, many: str = "") -> str:
    """`1 message`, `1,200 messages`; `many` for what an s alone does not make."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def with_article(noun: str) -> str:
    """Add an article by the first letter, but not before a long u: `an assistant message`."""
    is_vowel = noun[:1].lower() in "aeio" or noun.startswith("un")
    return f"{'an' if is_vowel else 'a'} {noun}"


def printable(text: str, longest: int = LONGEST_NAME) -> str:
    """Make outside text fit for a sentence, a page and any database: no controls, not too long."""
    marks = (c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:longest])
    return "".join(marks) + ("\N{HORIZONTAL ELLIPSIS}" if len(text) > longest else "")

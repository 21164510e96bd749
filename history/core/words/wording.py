"""Write numbers and names in sentences, the same way everywhere.

Positions count from 0, in code and data. Readers of sentences count messages from 1.
"""

from collections.abc import Callable, Iterable
from decimal import Decimal
from difflib import get_close_matches
from typing import TypeVar

LONGEST_NAME = 40
MOST_COMPARED = 100  # Characters of a misspelt name that are compared.
MINUS = "\N{MINUS SIGN}"
N = TypeVar("N", int, Decimal)


def turns(first: int, last: int) -> str:
    """Write `turn 9`, or `turns 5` to `9` with a dash."""
    if first == last:
        return f"turn {number(last)}"
    return f"turns {number(first)}\N{EN DASH}{number(last)}"


def number(value: int) -> str:
    return f"{value:,}"


def signed(value: N, written: Callable[[N], str]) -> str:
    """Write `+3`, or `-3` with a true minus."""
    return f"+{written(value)}" if value >= 0 else f"{MINUS}{written(-value)}"


def place(position: int) -> str:
    """Return a message's number for people."""
    return number(position + 1)


def messages(first: int, last: int) -> str:
    """Write positions as `message 9`, or `messages 5` to `9` with a dash."""
    return f"{'message' if first == last else 'messages'} {places([range(first, last + 1)])}"


def places(runs: Iterable[range]) -> str:
    """Write these positions as messages' numbers, from 1."""
    *others, last = runs_of(runs)
    return f"{', '.join(others)} and {last}" if others else last


def runs_of(runs: Iterable[range]) -> list[str]:
    """Write positions in order as `1`, or `3` to `9` with a dash; neighbours become one run."""
    merged: list[range] = []
    for run in runs:
        joins = merged and merged[-1].stop == run.start
        merged.append(range(merged.pop().start, run.stop) if joins else run)
    return [
        place(run[0]) if len(run) == 1 else f"{place(run[0])}\N{EN DASH}{place(run[-1])}"
        for run in merged
    ]


def plural(count: int, one: str, many: str = "") -> str:
    """Write `1 message` or `1,200 messages`; `many` is a plural that needs more than an s."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def printable(text: str, longest: int = LONGEST_NAME) -> str:
    """Make outside text fit for a sentence, a page and any database: no controls, not too long."""
    marks = (c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:longest])
    return "".join(marks) + ("\N{HORIZONTAL ELLIPSIS}" if len(text) > longest else "")


def nearest(given: str, known: Iterable[str], share: float = 0.7) -> str:
    """Return the known name most like this one, ignoring case, if `share` matches; else nothing."""
    by_letters = {name.lower(): name for name in known}
    near = get_close_matches(given[:MOST_COMPARED].lower(), by_letters, n=1, cutoff=share)
    return by_letters[near[0]] if near else ""

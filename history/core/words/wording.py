"""Write numbers and names in sentences, in the same way everywhere.

Code and data count positions from 0, but people who read sentences count messages from 1.
"""

from collections.abc import Callable, Iterable
from decimal import Decimal
from difflib import get_close_matches
from typing import TypeVar

LONGEST_NAME = 40
MOST_COMPARED = 100  # How many characters of a misspelt name are compared.
MINUS = "\N{MINUS SIGN}"
N = TypeVar("N", int, Decimal)


def turns(first: int, last: int) -> str:
    """Write `turn 9` for one turn; for several, `turns` with both numbers and a dash."""
    if first == last:
        return f"turn {number(last)}"
    return f"turns {number(first)}\N{EN DASH}{number(last)}"


def number(value: int) -> str:
    return f"{value:,}"


def signed(value: N, write: Callable[[N], str]) -> str:
    """Write `+3`, or `-3` with a true minus."""
    return f"+{write(value)}" if value >= 0 else f"{MINUS}{write(-value)}"


def place(position: int) -> str:
    """Return the number of a message for people, which counts from 1."""
    return number(position + 1)


def messages(first: int, last: int) -> str:
    """Write `message 9` for one position; for several, `messages` with both numbers and a dash."""
    return f"{'message' if first == last else 'messages'} {places([range(first, last + 1)])}"


def places(runs: Iterable[range]) -> str:
    """Write these positions as numbers of messages, from 1."""
    *others, last = runs_of(runs)
    return f"{', '.join(others)} and {last}" if others else last


def runs_of(runs: Iterable[range]) -> list[str]:
    """Write sorted positions as runs: a single number, or the first and the last with a dash."""
    merged: list[range] = []
    for run in runs:
        joins = merged and merged[-1].stop == run.start
        merged.append(range(merged.pop().start, run.stop) if joins else run)
    return [
        place(run[0]) if len(run) == 1 else f"{place(run[0])}\N{EN DASH}{place(run[-1])}"
        for run in merged
    ]


def plural(count: int, one: str, many: str = "") -> str:
    """Write `1 message` or `1,200 messages`; `many` is a plural that is not formed by an s."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def printable(text: str, longest: int = LONGEST_NAME) -> str:
    """Make foreign text fit for sentences, pages and databases: printable, and not too long."""
    marks = (c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:longest])
    return "".join(marks) + ("\N{HORIZONTAL ELLIPSIS}" if len(text) > longest else "")


def nearest(word: str, names: Iterable[str], share: float = 0.7) -> str:
    """Return the known name most like this one, ignoring case; empty if `share` is not reached."""
    by_letters = {name.lower(): name for name in names}
    near = get_close_matches(word[:MOST_COMPARED].lower(), by_letters, n=1, cutoff=share)
    return by_letters[near[0]] if near else ""

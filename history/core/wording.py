"""How a plan's sentences write numbers and names, so that all of them do it alike."""

LONGEST_NAME = 40


def turns(first: int, last: int) -> str:
    """`turn 9`, or `turns 5` to `9` with a dash."""
    return f"turn {last}" if first == last else f"turns {first}\N{EN DASH}{last}"


def number(value: int) -> str:
    return f"{value:,}"


def printable(text: str, longest: int = LONGEST_NAME) -> str:
    """Text from outside, fit for a sentence, a page and any database: no controls, not long."""
    marks = (c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:longest])
    return "".join(marks) + ("\N{HORIZONTAL ELLIPSIS}" if len(text) > longest else "")

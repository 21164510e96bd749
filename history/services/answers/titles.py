"""What a conversation is called, after its first message."""

TITLE_LENGTH = 60


def title_of(text: str) -> str:
    """The first line, cut at a word."""
    line = text.strip().splitlines()[0].strip()
    if len(line) <= TITLE_LENGTH:
        return line
    return line[:TITLE_LENGTH].rsplit(" ", 1)[0].rstrip(" ,;:.") + "\N{HORIZONTAL ELLIPSIS}"

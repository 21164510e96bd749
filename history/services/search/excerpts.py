"""Cut what was found out of its text."""

from collections.abc import Sequence

from history.models import Message
from history.services.search.terms import Term

BEFORE, AFTER = 150, 350  # Characters of an excerpt, around the first term.
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def searchable(message: Message) -> str:
    """Return its text with the names and the texts of its images and files."""
    files = (part for part in message.parts if part["kind"] != "reasoning")
    attached = (part.get(field, "") for part in files for field in ("name", "text"))
    return "\n".join([message.text, *filter(None, attached)])


def excerpt(text: str, terms: Sequence[Term], before: int = BEFORE, after: int = AFTER) -> str:
    """Write an excerpt on one line, with an ellipsis where it was cut."""
    places = [place for term in terms if (place := text.lower().find(term.text)) >= 0]
    start = max(0, min(places, default=0) - before)
    end = start + before + after
    cut = f"{ELLIPSIS if start else ''}{text[start:end]}{ELLIPSIS if end < len(text) else ''}"
    return " ".join(cut.split())

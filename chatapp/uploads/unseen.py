"""Invisible characters in a text: they hide what a model reads, or reorder it on the page."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

CONTROLS = dict.fromkeys({*range(32), 127} - set(map(ord, "\t\n\r\f")))
# Characters that mark a text's direction, and Unicode's invisible tags.
HIDING = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def without_controls(text: str) -> str:
    """Remove control characters, and replace lone surrogates by question marks."""
    return text.translate(CONTROLS).encode("utf-8", "replace").decode()


def hiding(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield a note on how many characters hide or reorder something, if any do."""
    if signs := HIDING.findall(text):
        yield {"code": "hiding", "signs": len(signs)}

"""Signs in a text that nobody sees: they hide what a model reads, or reorder it on the page."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

CONTROLS = dict.fromkeys({*range(32), 127} - set(map(ord, "\t\n\r\f")))
HIDING = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")  # Directions, and tags.


def without_controls(text: str) -> str:
    """Leave out control characters, and write lone surrogates as question marks."""
    return text.translate(CONTROLS).encode("utf-8", "replace").decode()


def hiding(text: str) -> Iterator[Mapping[str, Any]]:
    """Note how many signs hide or reorder something, if any do."""
    if found := HIDING.findall(text):
        yield {"code": "hiding", "signs": len(found)}

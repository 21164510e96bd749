"""Clean the name of a file: no path, and no characters that hide or reorder others."""

import re
import unicodedata

LONGEST = 120
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # Such as controls and lone surrogates.
ENDING = re.compile(r"\.[A-Za-z0-9]{1,10}$")


def clean_name(supplied: str) -> str:
    """Return a name that is safe to show; a name that is too long keeps its ending."""
    last = re.split(r"[/\\]", supplied)[-1].replace("%22", '"')  # Browsers encode a quote so.
    seen = "".join(sign for sign in last if unicodedata.category(sign) not in UNSEEN)
    name = " ".join(unicodedata.normalize("NFC", seen).split()).strip(". ")
    return _shortened(name) or "file"


def _shortened(name: str) -> str:
    if len(name) <= LONGEST:
        return name
    found = ENDING.search(name)
    ending = found.group() if found else ""
    return name[: LONGEST - len(ending) - 1] + "\N{HORIZONTAL ELLIPSIS}" + ending

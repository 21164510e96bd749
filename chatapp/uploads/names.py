"""Clean the name of a file: no path, and no characters that hide or reorder others."""

import re
import unicodedata

LONGEST = 120
# Unicode categories of characters that nobody sees, such as control characters.
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
ENDING = re.compile(r"\.[A-Za-z0-9]{1,10}$")


def clean_name(supplied: str) -> str:
    """Return a name that is safe to show; a name that is too long keeps its ending."""
    # Browsers write a quotation mark in a form's file name as %22.
    last = re.split(r"[/\\]", supplied)[-1].replace("%22", '"')
    seen = "".join(sign for sign in last if unicodedata.category(sign) not in UNSEEN)
    name = " ".join(unicodedata.normalize("NFC", seen).split()).strip(". ")
    return _shortened(name) or "file"


def _shortened(name: str) -> str:
    if len(name) <= LONGEST:
        return name
    found = ENDING.search(name)
    ending = found.group() if found else ""
    return name[: LONGEST - len(ending) - 1] + "\N{HORIZONTAL ELLIPSIS}" + ending

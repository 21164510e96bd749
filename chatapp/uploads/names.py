"""The name of a file: without a path, and without characters that hide or reorder others; and what
type it promises.
"""

import re
import unicodedata

LONGEST = 120
# Unicode categories of characters that nobody sees, such as control characters.
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
ENDING = re.compile(r"\.[A-Za-z0-9]{1,10}$")
NO_TEXT = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
NO_TEXT |= {".webp": "image/webp", ".gif": "image/gif", ".pdf": "application/pdf"}


def promised_type(name: str) -> str:
    """Return the type of an image or a PDF that the name's ending promises; otherwise nothing."""
    match = ENDING.search(name)
    return NO_TEXT.get(match.group().lower(), "") if match else ""


def clean_name(file_name: str) -> str:
    """Return a name that is safe to show; a name that is too long keeps its ending."""
    # Browsers write a quotation mark in a form's file name as %22.
    last = re.split(r"[/\\]", file_name)[-1].replace("%22", '"')
    seen = "".join(sign for sign in last if unicodedata.category(sign) not in UNSEEN)
    name = " ".join(unicodedata.normalize("NFC", seen).split()).strip(". ")
    return _shortened(name) or "file"


def _shortened(name: str) -> str:
    if len(name) <= LONGEST:
        return name
    match = ENDING.search(name)
    ending = match.group() if match else ""
    return name[: LONGEST - len(ending) - 1] + "\N{HORIZONTAL ELLIPSIS}" + ending

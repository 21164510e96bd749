"""The name of a file as it is shown and kept: never a path, and nothing that hides or reorders."""

import re
import unicodedata

LONGEST = 120
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # Controls, direction marks, lone surrogates.
ENDING = re.compile(r"\.[A-Za-z0-9]{1,10}$")


def clean_name(supplied: str) -> str:
    """Return a name that is safe to show; a long one keeps its ending."""
    last = re.split(r"[/\\]", supplied)[-1].replace("%22", '"')  # As browsers write it in a form.
    seen = "".join(sign for sign in last if unicodedata.category(sign) not in UNSEEN)
    name = " ".join(unicodedata.normalize("NFC", seen).split()).strip(". ")
    return _shortened(name) or "file"


def _shortened(name: str) -> str:
    if len(name) <= LONGEST:
        return name
    found = ENDING.search(name)
    ending = found.group() if found else ""
    return name[: LONGEST - len(ending) - 1] + "\N{HORIZONTAL ELLIPSIS}" + ending

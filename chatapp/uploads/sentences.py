"""Sentences on refused files, and notes on accepted ones: what happened, why, and what to do."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from chatapp.limits.limits import spoken_size
from chatapp.uploads.cleaned import FileRefused

KINDS = {
    "application/pdf": gettext_lazy("PDF"),
    "image/png": gettext_lazy("PNG image"),
    "image/jpeg": gettext_lazy("JPEG image"),
    "image/webp": gettext_lazy("WebP image"),
    "image/gif": gettext_lazy("GIF image"),
    "text/plain": gettext_lazy("text"),
}
REFUSALS = {
    "empty": gettext_lazy("{name} is empty."),
    "too_large": gettext_lazy(
        "{name} is larger than {most}. Attach a smaller file, or a part of it."
    ),
    "pixels": gettext_lazy(
        "{name} has {width} by {height} pixels, more than can be read here. Scale it down to"
        " {most} pixels in total, and attach it again."
    ),
    "damaged": gettext_lazy(
        "{name} can't be read as {kind}; it may be damaged. Open it, save it again, and attach"
        " the new file."
    ),
    "encrypted": gettext_lazy(
        "{name} is protected by a password. Save a copy without the password, and attach that."
    ),
    "pages": gettext_lazy(
        "{name} has {pages} pages; the limit is {most}. Attach only the pages you need."
    ),
    "text": gettext_lazy(
        "{name} contains more than {most} characters of text. Attach only the part you need."
    ),
    "nothing_in_it": gettext_lazy(
        "{name} contains no text and no picture that can be read. Attach its pages as images."
    ),
    "picture": gettext_lazy(
        "{name} is an image of a type that can't be read here. Save it as PNG or JPEG, and attach"
        " that."
    ),
    "type": gettext_lazy(
        "{name} is of a type that can't be read here. Attach an image, a PDF or a text file."
    ),
    "slow": gettext_lazy(
        "{name} takes too long to read. Save it again, or attach only the part you need."
    ),
    "memory": gettext_lazy(
        "{name} takes too much memory to read. Save it again, or attach a smaller one."
    ),
}
SAME = {"crash": "slow"}  # A crash means that the system ended the process, which exceeded a limit.
NOTES: dict[str, Any] = {
    "hiding": gettext_lazy(
        "Characters that hide or reorder text: {signs}. The model reads more than you see."
    ),
    "latin-1": gettext_lazy("Not UTF-8: read as Latin-1, so some letters may be wrong."),
    "scanned": ngettext_lazy(
        "{pages} scanned page without text. Sent as images: {shown}.",
        "{pages} scanned pages without text. Sent as images: {shown}.",
        "pages",
    ),
}


def refusal(unfit: FileRefused, name: str) -> str:
    figures = {key: _shown(value) for key, value in unfit.figures.items()}
    code = SAME.get(unfit.code, unfit.code)
    if code == "type" and figures.get("type", "").startswith("image/"):
        code = "picture"
    kind = kind_of(figures.get("type", ""))
    return str(REFUSALS[code]).format(**{**figures, "name": name, "kind": kind})


def kind_of(media_type: str) -> str:
    """Return the name of a file type for people."""
    return str(KINDS.get(media_type, _("this type")))


def too_large(name: str, most: int) -> str:
    return str(REFUSALS["too_large"]).format(name=name, most=spoken_size(most))


def note(fact: Mapping[str, Any]) -> str:
    sentence: str = NOTES[fact["code"]].format(**fact)
    return sentence


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)

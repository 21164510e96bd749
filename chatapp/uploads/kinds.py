"""Find a file's type by its content; its name and what the browser says do not decide it.

A type in the table below is opened by the decoder named there and by no other. Everything else is
text, or is refused with the name that puremagic gives it.
"""

import puremagic

from chatapp.uploads.cleaned import FileRefused

PDF, PDF_MARK = "application/pdf", b"%PDF-"
TEXT = "text/plain"
DECODERS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP", "image/gif": "GIF"}
SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    PDF_MARK: PDF,
}
ENOUGH = 65_536  # How many bytes of a file are enough to tell its type.
CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1b")


def type_of(data: bytes) -> str:
    """Return the type of a picture or a PDF, or text. Raise FileRefused for anything else."""
    signed = _signed(data)
    if signed and signed in _known_as(data):
        return signed
    if is_text(data):
        return TEXT
    raise FileRefused("type", type=next(iter(_known_as(data)), ""))


def _signed(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for mark, kind in SIGNATURES.items() if data.startswith(mark)), "")


def _known_as(data: bytes) -> list[str]:
    """Return the types that the file might have, the likeliest first."""
    try:
        matches = puremagic.magic_string(data[:ENOUGH])
    except (puremagic.PureError, ValueError):
        return []
    return [match.mime_type for match in matches if match.mime_type]


def is_text(data: bytes) -> bool:
    """Return whether data begins with UTF-16's mark, or has no byte that texts never contain."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    return CONTROLS.isdisjoint(data)

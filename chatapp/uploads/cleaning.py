"""Look at a file's content and keep what is harmless of it."""

from chatapp.uploads import kinds, pdf, pictures, plain_text
from chatapp.uploads.cleaned import Bounds, Cleaned, FileRefused


def clean(data: bytes, bounds: Bounds) -> Cleaned:
    """Return what is kept. Raise FileRefused."""
    if not data:
        raise FileRefused("empty")
    kind = kinds.type_of(data)
    if kind == kinds.PDF:
        return pdf.cleaned(data, bounds)
    if kind == kinds.TEXT:
        return plain_text.cleaned(data, bounds)
    picture = pictures.cleaned(data, bounds, (kinds.DECODERS[kind],))
    return Cleaned(kind, pictures=(picture,))

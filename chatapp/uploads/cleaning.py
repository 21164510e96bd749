"""Look at a file's content and keep what is harmless of it."""

from chatapp.uploads import kinds
from chatapp.uploads.bounds import Bounds
from chatapp.uploads.cleaned import Cleaned, FileRefused


def clean(data: bytes, bounds: Bounds) -> Cleaned:
    """Return the content that is kept of a file. Raise FileRefused.

    Only the decoder of this type is imported, since somebody waits.
    """
    if not data:
        raise FileRefused("empty")
    kind = kinds.type_of(data)
    if kind == kinds.PDF:
        from chatapp.uploads import pdf  # noqa: PLC0415 -- see above

        return pdf.cleaned(data, bounds)
    if kind == kinds.TEXT:
        from chatapp.uploads import plain_text  # noqa: PLC0415 -- see above

        return plain_text.cleaned(data, bounds)
    from chatapp.uploads import pictures  # noqa: PLC0415 -- see above

    picture = pictures.cleaned(data, bounds, (kinds.DECODERS[kind],))
    return Cleaned(kind, pictures=(picture,))

"""Look at the content of a file, and keep only what is harmless."""

from chatapp.uploads import kinds
from chatapp.uploads.bounds import Bounds
from chatapp.uploads.cleaned import CleanedFile, FileRefused


def clean(data: bytes, bounds: Bounds) -> CleanedFile:
    """Return what is kept of a file. Raise FileRefused.

    Only the decoder for this type is imported, because a person waits.
    """
    if not data:
        raise FileRefused("empty")
    kind = kinds.type_of(data)
    if kind == kinds.PDF:
        from chatapp.uploads import pdf  # noqa: PLC0415 -- only for this type

        return pdf.cleaned(data, bounds)
    if kind == kinds.TEXT:
        from chatapp.uploads import plain_text  # noqa: PLC0415 -- only for this type

        return plain_text.cleaned(data, bounds)
    from chatapp.uploads import pictures  # noqa: PLC0415 -- only for this type

    picture = pictures.cleaned(data, bounds, (kinds.DECODERS[kind],))
    return CleanedFile(kind, pictures=(picture,))

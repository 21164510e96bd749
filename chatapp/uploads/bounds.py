"""Limits on the work that one file may cause."""

from dataclasses import dataclass, replace

from chatapp.uploads.kinds import PDF_MARK

PDF_SECONDS = 5  # Processor time for a PDF: each of its pages may show the same slow object.


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits: `side` is the longest side of a stored image in pixels, `seconds` processor time."""

    pixels: int
    side: int
    pages: int
    scanned_pages: int
    characters: int
    seconds: int

    def of(self, data: bytes) -> "Bounds":
        """Return the limits for this file."""
        is_pdf = data.startswith(PDF_MARK)
        return replace(self, seconds=min(self.seconds, PDF_SECONDS)) if is_pdf else self

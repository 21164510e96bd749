"""Bounds on the cost of looking at one file."""

from dataclasses import dataclass, replace

from chatapp.uploads.kinds import PDF_MARK

PDF_SECONDS = 5  # Of processor time: pages may share what is expensive to read.


@dataclass(frozen=True, slots=True)
class Bounds:
    """`side` is the longest side of a picture as it is kept, `seconds` are processor time."""

    pixels: int
    side: int
    pages: int
    scanned_pages: int
    characters: int
    seconds: int

    def of(self, data: bytes) -> "Bounds":
        """Return the bounds for this file."""
        is_pdf = data.startswith(PDF_MARK)
        return replace(self, seconds=min(self.seconds, PDF_SECONDS)) if is_pdf else self

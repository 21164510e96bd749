"""What is kept of a file, or why it is refused, as plain values that cross a process's border."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class CleanPicture:
    """A picture that was decoded, scaled and written again by us. `page`: of a PDF, from 1."""

    data: bytes
    type: str
    width: int
    height: int
    page: int = 0


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The content that is kept of a file. A picture has no text; a PDF of scanned pages has a text
    and pictures, and counts as scanned if the text only says where the pictures are.

    `notes` are codes of what the user should know, with figures.
    """

    type: str
    text: str = ""
    pages: int = 0
    pictures: tuple[CleanPicture, ...] = ()
    notes: tuple[Mapping[str, Any], ...] = ()
    is_scanned: bool = False

    @property
    def is_picture(self) -> bool:
        return bool(self.pictures) and not self.pages


class FileRefused(Exception):
    """The refusal of a file: a code and figures, from which a sentence is made."""

    def __init__(self, code: str, **figures: Any) -> None:
        super().__init__(code)
        self.code = code
        self.figures = figures

"""What is kept of a file, or why it is refused, as plain values to pass between processes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class CleanPicture:
    """An image that Vitrine decoded, scaled and encoded anew. `page` is that of a PDF, from 1."""

    data: bytes
    type: str
    width: int
    height: int
    page: int = 0


@dataclass(frozen=True, slots=True)
class CleanedFile:
    """What is kept of a file. An image has no text. A PDF of scanned pages has a text and images,
    and counts as scanned if the text only says where the images are.

    `notes` are codes, with figures, of what the user should know.
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
    """A file is refused; `code` and figures say why, and a sentence is made of them."""

    def __init__(self, code: str, **figures: Any) -> None:
        super().__init__(code)
        self.code = code
        self.figures = figures

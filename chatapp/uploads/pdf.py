"""Read a PDF: its text page by page, and images of scanned pages.

This is the only file that uses pypdf.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

from pypdf import PageObject, PasswordType, PdfReader, apply_configuration
from pypdf.generic import DictionaryObject

from chatapp.uploads import pictures
from chatapp.uploads.bounds import Bounds
from chatapp.uploads.cleaned import CleanedFile, CleanPicture, FileRefused
from chatapp.uploads.kinds import PDF
from chatapp.uploads.unseen import hiding, without_controls

INSIDE = ("PNG", "JPEG", "JPEG2000", "TIFF")  # Image formats that pypdf returns.
SCANNED = 10  # A page with an image and fewer characters of text counts as scanned.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # pypdf's log messages would quote the file.


@dataclass(frozen=True, slots=True)
class Page:
    text: str
    picture: CleanPicture | None = None
    is_scanned: bool = False


def cleaned(data: bytes, bounds: Bounds) -> CleanedFile:
    try:
        with apply_configuration(jbig2dec_binary=None):  # pypdf must start no other program.
            return _cleaned(data, bounds)
    except (FileRefused, MemoryError):
        raise
    except Exception as error:  # pypdf may raise any exception on a damaged file.
        raise FileRefused("damaged", type=PDF) from error


def _cleaned(data: bytes, bounds: Bounds) -> CleanedFile:
    reader = _opened(data)
    count = len(reader.pages)
    if not count:
        raise FileRefused("damaged", type=PDF)
    if count > bounds.pages:
        raise FileRefused("pages", pages=count, most=bounds.pages)
    pages = list(_pages(reader, bounds))
    if not any(page.text or page.picture for page in pages):
        raise FileRefused("nothing_in_it")
    pictures = tuple(page.picture for page in pages if page.picture)
    text = _marked(pages)
    notes = (*_notes(pages, pictures), *hiding(text))
    is_scanned = not any(page.text and not page.is_scanned for page in pages)
    return CleanedFile(PDF, text, count, pictures, notes, is_scanned)


def _opened(data: bytes) -> PdfReader:
    """Open a PDF, with an empty password if it has one, as many files only forbid printing."""
    reader = PdfReader(BytesIO(data))
    if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
        raise FileRefused("encrypted")
    return reader


def _pages(reader: PdfReader, bounds: Bounds) -> Iterator[Page]:
    characters, pictures = 0, 0
    for number, page in enumerate(reader.pages, 1):
        read = _read(page, bounds, show=pictures < bounds.scanned_pages)
        characters += len(read.text)
        if read.picture:
            pictures += 1
            read = replace(read, picture=replace(read.picture, page=number))
        if characters > bounds.characters:
            raise FileRefused("text", most=bounds.characters)
        yield read


def _read(page: PageObject, bounds: Bounds, *, show: bool) -> Page:
    try:
        text = without_controls(page.extract_text()).strip()
    except Exception:  # If one page cannot be read, the others are kept.
        text = ""
    if len(text) >= SCANNED or not (name := _largest(page, bounds)):
        return Page(text)
    return Page(text, _picture(page, name, bounds) if show else None, is_scanned=True)


def _largest(page: PageObject, bounds: Bounds) -> str:
    """Return the name of a page's largest image that is not too large; empty if there is none."""
    try:
        images = page["/Resources"]["/XObject"].get_object()  # type: ignore[index]  # any object
        sizes = {name: _pixels(images[name].get_object()) for name in images}
    except Exception:  # The page has no images, or only invalid ones.
        return ""
    fitting = {name: size for name, size in sizes.items() if 0 < size <= bounds.pixels}
    return str(max(fitting, key=fitting.__getitem__)) if fitting else ""


def _pixels(image: DictionaryObject) -> int:
    is_picture = image.get("/Subtype") == "/Image"
    return int(str(image["/Width"])) * int(str(image["/Height"])) if is_picture else 0


def _picture(page: PageObject, name: str, bounds: Bounds) -> CleanPicture | None:
    try:
        return pictures.cleaned(page.images[name].data, bounds, INSIDE)
    except MemoryError:
        raise
    except Exception:  # The page is marked in the text, because its image is missing.
        return None


def _marked(pages: list[Page]) -> str:
    """Write the texts of the pages in order, each below its page number, for the model."""
    return "\n\n".join(
        f"[Page {n}{_mark(page)}]\n{page.text}".strip() for n, page in enumerate(pages, 1)
    )


def _mark(page: Page) -> str:
    if not page.is_scanned:
        return "" if page.text else ", without text"
    where = "only in its picture" if page.picture else "its picture is not included"
    return f", scanned: {where}"


def _notes(pages: list[Page], pictures: tuple[CleanPicture, ...]) -> Iterator[Mapping[str, Any]]:
    if scanned := sum(page.is_scanned for page in pages):
        yield {"code": "scanned", "pages": scanned, "shown": len(pictures)}

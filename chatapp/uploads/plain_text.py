"""Decode texts and code, which are kept as text whatever the files' names are."""

import codecs
from collections.abc import Mapping
from typing import Any

from chatapp.uploads.bounds import Bounds
from chatapp.uploads.cleaned import CleanedFile, FileRefused
from chatapp.uploads.kinds import TEXT
from chatapp.uploads.unseen import hiding

UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def cleaned(data: bytes, bounds: Bounds) -> CleanedFile:
    text, notes = _decoded(data)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > bounds.characters:
        raise FileRefused("text", most=bounds.characters)
    if not text.strip():
        raise FileRefused("empty")
    return CleanedFile(TEXT, text, notes=(*notes, *hiding(text)))


def _decoded(data: bytes) -> tuple[str, tuple[Mapping[str, Any], ...]]:
    """Decode by the byte order mark, else as UTF-8, else as Latin-1; the last adds a note."""
    if data.startswith(UTF16):
        return _utf16(data), ()
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        return data.decode("latin-1"), ({"code": "latin-1"},)


def _utf16(data: bytes) -> str:
    try:
        text = data.decode("utf-16")
    except UnicodeDecodeError as error:
        raise FileRefused("damaged", type=TEXT) from error
    if "\0" in text:
        raise FileRefused("type", type="")
    return text

"""Read an image's width and height from its first bytes."""

import struct
from collections.abc import Callable
from typing import TypeAlias

Size: TypeAlias = tuple[int, int]
UNKNOWN: Size = (0, 0)
# JPEG markers that begin no frame, although their codes are among those of frames.
NO_FRAME = frozenset({0xC4, 0xC8, 0xCC})


def image_size(data: bytes) -> Size:
    """Return width and height in pixels; `UNKNOWN` unless the data begins with a valid header of
    PNG, GIF, JPEG or WebP.
    """
    for start, read in READERS:
        if data.startswith(start):
            try:
                return read(data)
            except (struct.error, IndexError):
                return UNKNOWN
    return UNKNOWN


def _png(data: bytes) -> Size:
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _gif(data: bytes) -> Size:
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _jpeg(data: bytes) -> Size:
    """Read a JPEG's size: skip from marker to marker until one begins a frame."""
    place = 2
    while True:
        _, marker, length = struct.unpack_from(">BBH", data, place)
        if 0xC0 <= marker <= 0xCF and marker not in NO_FRAME:
            height, width = struct.unpack_from(">HH", data, place + 5)
            return width, height
        place += 2 + length


def _webp(data: bytes) -> Size:
    match data[12:16]:
        case b"VP8X":
            width, height = data[24:27], data[27:30]
            return int.from_bytes(width, "little") + 1, int.from_bytes(height, "little") + 1
        case b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
    return UNKNOWN


READERS: tuple[tuple[bytes, Callable[[bytes], Size]], ...] = (
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"GIF8", _gif),
    (b"\xff\xd8", _jpeg),
    (b"RIFF", _webp),
)

"""Make pictures and compressed data by hand, with any values in their headers, at little cost."""

import struct
import zipfile
import zlib
from functools import cache
from io import BytesIO
from typing import Any

from PIL import Image

SECRET = b"<script>alert('SECRET')</script>"
MEGABYTE = 1_000_000


def image(kind: str, size: tuple[int, int] = (64, 48), mode: str = "RGB", **save: Any) -> bytes:
    file = BytesIO()
    Image.linear_gradient("L").resize(size).convert(mode).save(file, kind, **save)
    return file.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, *chunks: tuple[bytes, bytes], data: bytes = b"") -> bytes:
    """Write a PNG of this declared size; its data need not fit."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pieces = ((b"IHDR", head), *chunks, (b"IDAT", data or zlib.compress(bytes(10))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, piece) for kind, piece in pieces)


def riff(*chunks: bytes) -> bytes:
    """Write a WebP file of these chunks."""
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def riff_chunk(kind: bytes, data: bytes) -> bytes:
    return kind + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def zeros(megabytes: int = 0, size: int = 0) -> bytes:
    """Compress this many zeros. Each megabyte is the same block, which is compressed only once."""
    whole, rest = divmod(megabytes * MEGABYTE + size, MEGABYTE)
    total = whole * MEGABYTE + rest
    packer = zlib.compressobj(9, wbits=-15)
    end = packer.compress(bytes(rest)) + packer.flush()
    check = struct.pack(">I", (total % 65_521) << 16 | 1)
    return b"\x78\xda" + _block() * whole + end + check


@cache
def _block() -> bytes:
    packer = zlib.compressobj(9, wbits=-15)
    return packer.compress(bytes(MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)


def zipped(name: str, data: bytes, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), data, packing)
    return file.getvalue()

"""More than 600 malformed and hostile files, generated alike in every run."""

import gzip
import random
import struct
import zlib
from collections.abc import Iterator
from functools import cache
from io import BytesIO

from PIL import Image

from tests.chatapp.uploads.hostile_documents import hostile_documents
from tests.chatapp.uploads.hostile_images import hostile_images
from tests.chatapp.uploads.hostile_pdfs import hostile_pdfs, scanned, with_text
from tests.chatapp.uploads.hostile_tables import hostile_tables
from tests.chatapp.uploads.hostile_texts import hostile_texts
from tests.chatapp.uploads.making import SECRET, image, png, zeros, zipped

SIGNATURES = (
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff\xe0",
    b"GIF89a",
    b"RIFF\0\0\0\0WEBPVP8 ",
    b"%PDF-1.7\n",
)


def animated(kind: str) -> bytes:
    frames = [Image.new("RGB", (30, 20), (n * 20, 0, 0)) for n in range(5)]
    file = BytesIO()
    frames[0].save(file, kind, save_all=True, append_images=frames[1:])
    return file.getvalue()


def photo() -> bytes:
    """Return a photo with metadata that reveal its place, time and camera."""
    exif = Image.Exif()
    exif[0x010F] = "SECRET camera"
    exif[0x0112] = 6  # The photo is turned by 90 degrees.
    exif.get_ifd(0x8825).update({1: "N", 2: (59.0, 54.0, 1.0), 29: "2026:11:22"})
    return image("JPEG", exif=exif, comment=SECRET, icc_profile=b"SECRET profile" * 20)


@cache
def good() -> dict[str, bytes]:
    return {
        "png": image("PNG"),
        "photo": photo(),
        "gif": animated("GIF"),
        "webp": animated("WEBP"),
        "pdf": with_text("Berth 041 is empty"),
        "scan": scanned(2),
        "text": "Berth 041 is empty. \N{LATIN SMALL LETTER E WITH ACUTE}\n".encode() * 20,
        "utf-16": "Berth 041 is empty".encode("utf-16"),
    }


def truncated() -> Iterator[tuple[str, bytes]]:
    for name, data in good().items():
        for part in range(1, 13):
            yield f"{name}, {part} of 13 parts", data[: len(data) * part // 13]


def flipped() -> Iterator[tuple[str, bytes]]:
    for name, data in good().items():
        for seed in range(25):
            chance = random.Random(f"{name} {seed}")
            changed = bytearray(data)
            for _ in range(1 + seed % 5):
                changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
            yield f"{name}, flipped {seed}", bytes(changed)


def nonsense() -> Iterator[tuple[str, bytes]]:
    for place, signature in enumerate(SIGNATURES):
        for seed in range(20):
            chance = random.Random(f"{place} {seed}")
            yield f"nonsense {place} {seed}", signature + chance.randbytes(chance.randrange(4_000))


def bombs() -> dict[str, bytes]:
    return {
        "a PNG of 400 megapixels": png(20_000, 20_000, data=zeros(5)),
        "a PNG that says 2 billion pixels a side": png(2**31 - 1, 2**31 - 1),
        "a PNG with less in it than it says": png(7_000, 7_000),
        "a PNG with a comment of 200 MB": png(8, 8, (b"zTXt", b"a\0\0" + zeros(200))),
        "a PNG with a profile of 200 MB": png(8, 8, (b"iCCP", b"a\0\0" + zeros(200))),
        "a GIF that says 65,535 a side": b"GIF89a\xff\xff\xff\xff\0\0\0" + b"," + bytes(300),
        "a WebP of 200 megapixels": b"RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0"
        + b"\xff\x3f\0\xff\x3f\0"
        + bytes(20),
        "a JPEG that says 65,500 a side": image("JPEG").replace(
            struct.pack(">HH", 48, 64), struct.pack(">HH", 65_500, 65_500)
        ),
        "a TIFF of 400 megapixels": image("TIFF").replace(struct.pack("<I", 64), b"\x20\x4e\0\0"),
        "a zip of 5 MB": zipped("zeros", bytes(5_000_000)),
        "a gzip of 5 MB": gzip.compress(bytes(5_000_000), mtime=0),
        "a PNG of 9 megapixels in 26 kB": png(3_000, 3_000, data=zeros(size=3_000 * 9_001)),
    }


def polyglots() -> dict[str, bytes]:
    inside = zipped("evil.html", SECRET)
    behind = {f"{name} with markup behind it": data + SECRET for name, data in good().items()}
    archives = {f"{name} with an archive behind it": data + inside for name, data in good().items()}
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">' + SECRET + b"</svg>"
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (n + 1, b"&l%d;" % n * 10) for n in range(9))
    return {
        **behind,
        **archives,
        "GIF that is a script": b"GIF89a/*" + bytes(20) + b"*/=1;alert('SECRET')",
        "GIF that is a script and text": b"GIF89a=1;alert('SECRET')",
        "markup that is a PDF": SECRET + with_text("Hello"),
        "PNG with markup in a comment": png(
            8, 8, (b"tEXt", b"a\0" + SECRET), data=zlib.compress(bytes(200))
        ),
        "SVG": svg,
        "SVG with a declaration": b'<?xml version="1.0"?>' + svg,
        "SVG in UTF-16": svg.decode().encode("utf-16"),
        "markup": b"<!doctype html>" + SECRET,
        "a billion laughs": b'<!DOCTYPE l [<!ENTITY l0 "ha">' + laughs + b"]><l>&l9;</l>",
        "PHP in a photo": image("JPEG", comment=b"<?php system('SECRET');"),
    }


def others() -> dict[str, bytes]:
    """Return files of types that the app does not read."""
    return {
        **{kind: image(kind) for kind in ("TIFF", "BMP", "ICO", "PPM", "TGA", "AVIF", "JPEG2000")},
        "EPS": image("EPS"),
        "ELF": b"\x7fELF\x02\x01\x01" + bytes(60),
        "EXE": b"MZ\x90\0" + bytes(60),
        "class": b"\xca\xfe\xba\xbe" + bytes(60),
        "wasm": b"\0asm\1\0\0\0" + bytes(60),
        "SQLite": b"SQLite format 3\0" + bytes(60),
        "video": b"\0\0\0\x18ftypmp42" + bytes(60),
        "sound": b"ID3\4" + bytes(60),
        "a Word document": zipped("word/document.xml", SECRET),
        "nothing": b"",
        "blanks": b" \n" * 50,
        "zeros": bytes(5_000),
        "every byte": bytes(range(256)),
        "half a pair in UTF-16": b"\xff\xfe\x00\xd8a\0",
        "NUL in UTF-16": b"\xff\xfe\0\0a\0",
    }


def corpus() -> dict[str, bytes]:
    return {
        **dict(truncated()),
        **dict(flipped()),
        **dict(nonsense()),
        **bombs(),
        **hostile_pdfs(),
        **hostile_documents(),
        **hostile_tables(),
        **hostile_images(),
        **hostile_texts(),
        **polyglots(),
        **others(),
    }

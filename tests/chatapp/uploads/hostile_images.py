"""Images with false sizes, frames, profiles and offsets, written by hand."""

import struct
import zlib
from typing import Any

from PIL import Image

from tests.chatapp.uploads.making import SECRET, chunk, image, png, riff, riff_chunk, zeros

TINY = image("PNG", (8, 8))
JPEG = image("JPEG")
WEBP = image("WEBP", (8, 8), lossless=True)[12:]  # Its chunk, without the head.
ENDED = b"\xff\xd9"
GIF_HEAD = b"GIF89a%b\x80\0\0\0\0\0\xff\xff\xff"
FRAME = b",\0\0\0\0\1\0\1\0\0\2\2\x44\1\0"  # A frame of one pixel.


def gif(width: int, height: int, *pieces: bytes) -> bytes:
    return GIF_HEAD % struct.pack("<HH", width, height) + b"".join(pieces) + b";"


def gifs() -> dict[str, bytes]:
    frame = b"," + struct.pack("<HHHH", 0, 0, 65_535, 65_535) + FRAME[9:]
    return {
        "a GIF of 20,000 frames": gif(1, 1, FRAME * 20_000),
        "a GIF whose frame is larger than it": gif(1, 1, frame),
        "a GIF whose frame lies outside": gif(9, 9, b",\xff\0\xff\0" + FRAME[5:]),
        "a GIF of 9 megapixels in 35 bytes": gif(3_000, 3_000, FRAME),
        "a GIF with codes of 255 bits": gif(1, 1, FRAME.replace(b"\2\2\x44", b"\xff\2\x44")),
        "a GIF whose blocks never end": gif(9, 9, FRAME[:-1], b"\xff" * 50_000),
        "a GIF without colours": b"GIF89a\x09\0\x09\0\0\0\0" + FRAME + b";",
        "a GIF with markup in a comment": gif(1, 1, b"!\xfe\x20" + SECRET[:32] + b"\0", FRAME),
        "a GIF that repeats 65,535 times": gif(
            1, 1, b"!\xff\x0bNETSCAPE2.0\3\1\xff\xff\0", FRAME * 3
        ),
        "a GIF of 0 pixels": gif(0, 0, FRAME),
        "a GIF of extensions": gif(1, 1, b"!\xf9\4\1\xff\xff\0\0" * 5_000, FRAME),
    }


def pngs() -> dict[str, bytes]:
    control = struct.pack(">IIIIIHHBB", 0, 2**31 - 1, 2**31 - 1, 0, 0, 1, 1, 0, 0)
    many = struct.pack(">II", 2**31 - 1, 0)
    head, rest = TINY[:33], TINY[33:]
    loop = b"II*\0\x08\0\0\0\0\0\x08\0\0\0"  # A table that refers to itself.
    return {
        "an APNG that says 2 billion frames": head + chunk(b"acTL", many) + rest,
        "an APNG with a huge frame": head
        + chunk(b"acTL", struct.pack(">II", 1, 0))
        + chunk(b"fcTL", control)
        + rest,
        "an APNG of 5,000 frames": head
        + chunk(b"acTL", struct.pack(">II", 5_000, 0))
        + chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, 8, 8, 0, 0, 1, 1, 0, 0)) * 5_000
        + rest,
        "a PNG with packed text of 200 MB": png(8, 8, (b"iTXt", b"a\0\1\0\0\0" + zeros(200))),
        "a PNG with 20,000 comments": head + chunk(b"tEXt", b"a\0b") * 20_000 + rest,
        "a PNG with 20,000 empty pieces": head + chunk(b"IDAT", b"") * 20_000 + rest,
        "a PNG with a piece of 2 GB": head + struct.pack(">I", 2**31 - 1) + b"IDAT" + rest,
        "a PNG whose places loop": png(8, 8, (b"eXIf", loop), data=zeros(size=200)),
        "a PNG with a PDF in it": png(
            8, 8, (b"tEXt", b"a\0%PDF-1.7\n1 0 obj<<>>endobj trailer<<>>%%EOF")
        ),
        "a PNG with two heads": head + head[8:] + rest,
        "a PNG with a wrong sum": TINY[:29] + b"\0\0\0\0" + rest,
        "a PNG without its head": TINY[:8] + rest,
        "a PNG of 3 bits": TINY[:24] + b"\3" + TINY[25:],
        "a PNG of an unknown colour": TINY[:25] + b"\5" + TINY[26:],
        "a PNG of one line": png(2_000_000, 1, data=zeros(size=6_000_001)),
        "a PNG of one column": png(1, 1_000_000, data=zeros(size=4_000_000)),
        "a PNG in raw pieces of another program": png(
            8, 8, (b"tEXt", b"Raw profile type exif\0\nexif\n  99999999\nzz"), data=zeros(size=200)
        ),
    }


def marker(kind: int, data: bytes) -> bytes:
    return bytes((0xFF, kind)) + struct.pack(">H", len(data) + 2) + data


def with_marker(kind: int, data: bytes, times: int = 1) -> bytes:
    return JPEG[:2] + marker(kind, data) * times + JPEG[2:]


def exif(*entries: bytes, follows: int = 0) -> bytes:
    """Return a photo whose first Exif table has these entries, 12 bytes each."""
    table = struct.pack("<H", len(entries)) + b"".join(entries) + struct.pack("<I", follows)
    return with_marker(0xE1, b"Exif\0\0II*\0\x08\0\0\0" + table)


def entry(tag: int, kind: int, count: int, value: int) -> bytes:
    return struct.pack("<HHII", tag, kind, count, value)


def resized(data: bytes, start: int, width: int, height: int) -> bytes:
    """Overwrite the size in the frame header that begins with the marker `start`."""
    place = data.index(bytes((0xFF, start))) + 5
    return data[:place] + struct.pack(">HH", height, width) + data[place + 4 :]


def jpegs() -> dict[str, bytes]:
    steps = image("JPEG", progressive=True)
    scan = steps[steps.rindex(b"\xff\xda") : -2]
    return {
        "a JPEG of 9 megapixels in steps": resized(steps, 0xC2, 3_000, 3_000),
        "a JPEG of 65,500 a side in steps": resized(steps, 0xC2, 65_500, 65_500),
        "a JPEG of 0 lines": resized(JPEG, 0xC0, 64, 0),
        "a JPEG of 2,000 scans": steps[:-2] + scan * 2_000 + ENDED,
        "a JPEG with 20,000 comments": with_marker(0xFE, b"a", 20_000),
        "a JPEG of 12 bits": JPEG.replace(b"\xff\xc0\0\x11\x08", b"\xff\xc0\0\x11\x0c"),
        "a JPEG in another code": JPEG.replace(b"\xff\xc0", b"\xff\xc9"),
        "a JPEG without loss": JPEG.replace(b"\xff\xc0", b"\xff\xc3"),
        "a JPEG that restarts at every block": with_marker(0xDD, b"\0\1"),
        "a JPEG that is a script": JPEG[:2] + b"\xff\xe0\x2f\x2a" + bytes(12_072) + JPEG[20:],
        "a JPEG with a PDF in it": with_marker(0xFE, b"%PDF-1.7\n1 0 obj<<>>endobj"),
        "a JPEG whose places loop": exif(follows=8),
        "a JPEG that is turned 99 times": exif(entry(0x0112, 3, 1, 99)),
        "a JPEG that is turned by a text": exif(entry(0x0112, 2, 4_000_000_000, 8)),
        "a JPEG whose place is its own table": exif(entry(0x8825, 4, 1, 8)),
        "a JPEG whose tables are each other": exif(entry(0x8769, 4, 1, 8), entry(0xA005, 4, 1, 8)),
        "a JPEG with 5,000 places": exif(*[entry(0x8825, 4, 1, 8)] * 5_000),
        "a JPEG turned by a name": with_marker(
            0xE1, b"http://ns.adobe.com/xap/1.0/\0" + b'<x tiff:Orientation="' * 2_000
        ),
        "a JPEG with entities": with_marker(
            0xE1, b'http://ns.adobe.com/xap/1.0/\0<!DOCTYPE x [<!ENTITY a "ha">]><x>&a;</x>'
        ),
        "a JPEG with a profile of 255 parts": with_marker(0xE2, b"ICC_PROFILE\0\1\xff" + SECRET),
        "a JPEG of many pictures": with_marker(
            0xE2, b"MPF\0II*\0\x08\0\0\0\1\0" + entry(0xB001, 4, 1, 2**31)
        ),
        "a JPEG in CMYK": coloured("CMYK", "JPEG"),
        "a JPEG in CMYK in steps of the largest size": resized(
            coloured("CMYK", "JPEG", progressive=True), 0xC2, 7_000, 7_000
        ),
        "a JPEG of an unknown transformation": with_marker(0xEE, b"Adobe\0\x64\0\0\0\0\x09"),
    }


def coloured(mode: str, kind: str, **save: Any) -> bytes:
    return image(kind, (16, 16), mode=mode, **save)


def modes() -> dict[str, bytes]:
    """Return ordinary pictures of rarer kinds, which must be accepted."""
    several = [Image.new("RGB", (16, 16), colour) for colour in ("red", "green", "blue")]
    return {
        "a PNG of 16 bits": coloured("I;16", "PNG"),
        "a PNG of one bit": coloured("1", "PNG"),
        "a PNG of grey and alpha": coloured("LA", "PNG"),
        "a PNG with a palette": coloured("P", "PNG", transparency=3),
        "a grey JPEG": coloured("L", "JPEG"),
        "several pictures in one JPEG": image(
            "MPO", (16, 16), save_all=True, append_images=several
        ),
    }


def webps() -> dict[str, bytes]:
    def canvas(side: int) -> bytes:
        return riff_chunk(b"VP8X", b"\2\0\0\0" + struct.pack("<I", side - 1)[:3] * 2)

    one = struct.pack("<I", 8 - 1)[:3] * 2
    frame = riff_chunk(b"ANMF", bytes(6) + one + b"\x64\0\0\0" + WEBP)
    animated = riff_chunk(b"ANIM", bytes(6))
    return {
        "a WebP of 49 megapixels": riff(canvas(7_000), animated, frame),
        "a WebP of 9 megapixels in 142 bytes": riff(canvas(3_000), animated, frame),
        "a WebP of 3,000 frames": riff(canvas(8), animated, frame * 3_000),
        "a WebP that says 16,384 a side": riff(riff_chunk(b"VP8L", b"\x2f\xff\xff\xff\x0f" * 4)),
        "a WebP with a piece of 4 GB": riff(b"VP8 \xff\xff\xff\xff" + WEBP),
        "a WebP whose piece is too short": riff(b"VP8L\1\0\0\0\x2f"),
        "a WebP with markup in it": riff(
            riff_chunk(b"VP8X", b"\x0c\0\0\0" + one)
            + WEBP
            + riff_chunk(b"EXIF", SECRET)
            + riff_chunk(b"XMP ", SECRET)
        ),
        "a WebP of 0 pixels": riff(b"VP8 \x0a\0\0\0\x10\0\0\x9d\1\x2a\0\0\0\0"),
        "a WebP of 20,000 pieces": riff(WEBP + riff_chunk(b"JUNK", b"ab") * 20_000),
    }


def hostile_images() -> dict[str, bytes]:
    inside = zlib.compress(SECRET)
    return {
        **gifs(),
        **pngs(),
        **jpegs(),
        **modes(),
        **webps(),
        "a PNG within a PNG": png(8, 8, (b"tEXt", b"a\0" + TINY), data=zeros(size=200)),
        "packed markup in a PNG": png(8, 8, (b"zTXt", b"a\0\0" + inside), data=zeros(size=200)),
    }

"""PDF files with false tables, versions and encryption."""

import struct
import zlib
from io import BytesIO

from pypdf import PdfWriter

from tests.chatapp.uploads.hostile_documents import FONT, PAGE, PAGES, one_page, stream
from tests.chatapp.uploads.hostile_pdfs import pdf, with_text
from tests.chatapp.uploads.making import zeros


def hostile_tables() -> dict[str, bytes]:
    whole = with_text("Berth 041 is empty")
    start = whole.rindex(b"startxref")
    table = stream(zeros(200), "/Type/XRef/Size 9/W[8 8 8]/Root 1 0 R/Filter/FlateDecode")
    place = b"startxref\n%d\n%%%%EOF"
    return {
        "10,000 objects in one": in_one_stream(10_000),
        "objects in themselves": in_one_stream(1, "/Extends 4 0 R"),
        "a table of 200 MB": b"%PDF-1.7\n1 0 obj" + table + b"endobj\n" + place % 9,
        "tables that are each other": whole[:start]
        + b"xref\n0 0\ntrailer<</Root 1 0 R/Prev %d>>\n" % whole.rindex(b"xref\n0 1")
        + place % start,
        "500 newer versions": whole
        + b"\nxref\n0 0\ntrailer<</Root 1 0 R/Prev 9>>\n%%EOF" * 500
        + place % len(whole),
        "a table before the file": whole[:start] + place % -9,
        "a table behind the file": whole[:start] + place % 10**30,
        "a table of a billion entries": whole.replace(b"0 1\n", b"0 999999999\n"),
        "no end": whole[:start],
        "no root": whole.replace(b"/Root", b"/Ruut"),
        "a version that is none": whole.replace(b"%PDF-1.7", b"%PDF-9.9e9"),
        "an object that is its own value": one_page(FONT, o4="4 0 R"),
        "two objects that are each other": one_page(FONT, o4="5 0 R", o5="4 0 R"),
        "may not be printed": locked("", "RC4-40"),
        "a strong password": locked("secret", "AES-256"),
        "locked by an unknown program": pdf(
            {2: PAGES, 3: PAGE.format("")}, b"/Encrypt<</Filter/Evil/V 99/R 99/Length -1>>"
        ),
        "a lock that takes 4 billion rounds": pdf(
            {2: PAGES, 3: PAGE.format("")},
            b"/Encrypt<</Filter/Standard/V 5/R 6/Length 4294967295/O()/U()/P 0>>/ID[()()]",
        ),
        "an archive that is a PDF": struct.pack("<I", 0x04034B50) + whole,
    }


def in_one_stream(more: int, head: str = "") -> bytes:
    """Write a PDF whose objects are all in one stream, with `more` further objects."""
    contents = [b"<</Type/Catalog/Pages 2 0 R>>", PAGES.encode(), PAGE.format("").encode()]
    contents += [b"0"] * more
    places, end = [], 0
    for number, content in enumerate(contents, 1):
        places.append(b"%d %d" % (number if number < 4 else number + 9, end))
        end += len(content) + 1
    index = b" ".join(places) + b" "
    body = zlib.compress(index + b" ".join(contents))
    head = f"/Type/ObjStm/N {len(contents)}/First {len(index)}/Filter/FlateDecode{head}"
    file = b"%PDF-1.7\n4 0 obj" + stream(body, head) + b"endobj\n"
    rows = [(0, 0, 0), (2, 4, 0), (2, 4, 1), (2, 4, 2), (1, 9, 0)]
    table = b"".join(struct.pack(">BHH", *row) for row in rows)
    last = stream(table, "/Type/XRef/Size 5/W[1 2 2]/Root 1 0 R")
    return file + b"5 0 obj" + last + b"endobj\nstartxref\n%d\n%%%%EOF" % len(file)


def locked(password: str, how: str) -> bytes:
    writer = PdfWriter(BytesIO(with_text("Berth 041 is empty")))
    writer.encrypt(password, owner_password="owner", algorithm=how)
    file = BytesIO()
    writer.write(file)
    return file.getvalue()

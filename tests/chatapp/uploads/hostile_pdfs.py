"""PDF files, written by hand, that make readers loop, or take much memory or time."""

import zlib
from io import BytesIO

from PIL import Image
from pypdf import PdfWriter

from tests.chatapp.uploads.making import zeros

LOOP = {
    "its own child": {2: "<</Type/Pages/Kids[2 0 R]/Count 1>>"},
    "two that are each other's child": {
        2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: "<</Type/Pages/Kids[2 0 R]/Count 1>>",
    },
    "a page that is its own parent": {
        2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: "<</Type/Page/Parent 3 0 R/MediaBox[0 0 9 9]>>",
    },
    "a form within itself": {
        2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R"
        "/Resources<</XObject<</F 4 0 R>>>>>>",
        4: "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 4 0 R>>>>"
        "/Length 4>>stream\n/F Do\nendstream",
    },
    "a length that is itself": {
        2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>",
        4: "<</Length 4 0 R>>stream\nBT ET\nendstream",
    },
    "a count of many and no pages": {2: "<</Type/Pages/Kids[]/Count 99999999>>"},
    "a picture that says it is large": {
        2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</I 4 0 R>>>>>>",
        4: "<</Type/XObject/Subtype/Image/Width 60000/Height 60000/ColorSpace/DeviceRGB"
        "/BitsPerComponent 8/Length 1>>stream\nx\nendstream",
    },
    "a script that opens with it": {
        1: "<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>",
        2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
    },
    "nesting": {2: "<</Type/Pages/Kids" + "[" * 20_000 + "]" * 20_000 + "/Count 1>>"},
}


def pdf(objects: dict[int, str | bytes], after: bytes = b"") -> bytes:
    """Write a PDF of numbered objects; object 1 is the catalogue."""
    objects = {1: "<</Type/Catalog/Pages 2 0 R>>", **objects}
    body, places = b"%PDF-1.7\n", {}
    for number, content in sorted(objects.items()):
        places[number] = len(body)
        data = content.encode() if isinstance(content, str) else content
        body += b"%d 0 obj" % number + data + b"endobj\n"
    table = b"".join(b"%010d 00000 n \n" % places[number] for number in sorted(places))
    xref = b"xref\n0 1\n0000000000 65535 f \n1 %d\n" % len(places) + table
    end = b"trailer<</Size %d/Root 1 0 R%s>>\n" % (len(places) + 1, after)
    return body + xref + end + b"startxref\n%d\n%%%%EOF" % len(body)


def with_stream(data: bytes, filters: str = "/FlateDecode") -> bytes:
    """Write a PDF of one page with this content, and with a font so that readers read it."""
    head = f"<</Filter[{filters}]/Length {len(data)}>>stream\n".encode()
    return pdf(
        {
            2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 90]/Contents 4 0 R/Resources"
            "<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
            4: head + data + b"\nendstream",
        }
    )


def costly(pages: int = 40, operators: int = 600_000, size: int = 39_000) -> bytes:
    """Write pages that share one stream of text operators: short to send, slow to read. A comment
    fills the file up to `size` bytes, since the compressed length depends on the library.
    """
    kids = " ".join(f"{number} 0 R" for number in range(4, pages + 4))
    page = (
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 90]/Contents 3 0 R/Resources"
        "<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>"
    )
    data = zlib.compress(b"BT /F 12 Tf " + b"() Tj " * operators + b"(a) Tj ET", 9)
    head = f"<</Filter[/FlateDecode]/Length {len(data)}>>stream\n".encode()
    made = pdf(
        {
            2: f"<</Type/Pages/Kids[{kids}]/Count {pages}>>",
            3: head + data + b"\nendstream",
            **dict.fromkeys(range(4, pages + 4), page),
        }
    )
    return made + b"\n%" + b"-" * (size - len(made) - 2)


def with_pages(count: int) -> bytes:
    kids = " ".join(f"{number} 0 R" for number in range(3, count + 3))
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    pages = dict.fromkeys(range(3, count + 3), page)
    return pdf({2: f"<</Type/Pages/Kids[{kids}]/Count {count}>>", **pages})


def with_password(password: str) -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.encrypt(password, algorithm="RC4-40")
    file = BytesIO()
    writer.write(file)
    return file.getvalue()


def with_text(text: str) -> bytes:
    """Write a PDF of one page with this text."""
    return with_stream(f"BT /F 12 Tf 20 50 Td ({text}) Tj ET".encode(), filters="")


def scanned(pages: int) -> bytes:
    """Write a PDF whose pages are pictures."""
    sheets = [Image.new("RGB", (60, 80), (n, n, n)) for n in range(pages)]
    file = BytesIO()
    sheets[0].save(file, "PDF", save_all=True, append_images=sheets[1:])
    return file.getvalue()


def hostile_pdfs() -> dict[str, bytes]:
    drawing = b"0 0 m 1 1 l " * 200_000
    return {
        **{f"loop: {name}": pdf(dict(objects)) for name, objects in LOOP.items()},
        "an older table that is itself": pdf(
            {2: "<</Type/Pages/Kids[]/Count 0>>"}, b"/Prev 9 /XRefStm 9"
        ),
        "a stream of 200 MB": with_stream(zeros(200)),
        "a stream packed twice": with_stream(zlib.compress(zeros(200)), "/FlateDecode/FlateDecode"),
        "a stream of lines": with_stream(zlib.compress(drawing)),
        "text without end": with_stream(zlib.compress(b"BT (a) Tj " * 5_000)),
        "10,000 pages": with_pages(10_000),
        "301 pages": with_pages(301),
        "a password": with_password("secret"),
        "nothing on it": with_pages(2),
        "a page of markup behind it": with_text("Hello") + b"<script>alert(1)</script>",
    }
